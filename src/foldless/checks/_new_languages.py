"""FL024: languages of texts of the pool, or of test rows, that no labeled text is written in.

A text is in the language whose most frequent words it has most of; without any, it is known by its script, such as
Cyrillic, Arabic or Han. That is rough for a single text, and good enough for many.
"""

import re
import unicodedata
from collections import Counter

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._new_categories import UNTOLD
from foldless.checks._unseen import columns_of_texts, unexpected
from foldless.checks._wording import listed, shown
from foldless.errors import counted
from foldless.results.finding import Finding

CHARACTERS = 2000  # of a text
WORD = re.compile(r"(?u)\b[^\W\d_]+\b")
FREQUENT = {
    "English": "the and of to in is that it for was with as on are this be have not you at from by",
    "German": "der die und das ist nicht ein eine zu den mit auf ich sich dem von für auch wird war",
    "French": "le les et des est une un dans que qui pour pas sur au avec ce il elle sont vous du",
    "Spanish": "el los las y es una por con para del se lo como más pero su al que está muy",
    "Italian": "il di che è la gli per una sono non con del della nel alla più ma anche questo lo",
    "Portuguese": "o os as e é um uma não para com do da em que mais por ao como foi são",
    "Dutch": "de het een en van is dat niet op te zijn met voor ook aan er maar om bij dit",
    "Polish": "i w na nie się jest z do że to o jak po ale tak od za co przez był",
    "Turkish": "ve bir bu için de da ile çok ne gibi daha olarak var en ben mi ama sonra kadar değil",
    "Swedish": "och att det som en på är av för med den till inte om ett han var jag men har",
}
LISTS = {language: set(words.split()) for language, words in FREQUENT.items()}
SURE = 2  # frequent words of a text, at least, that name its language


@check("FL024", "languages that the labels never had", kind="tip")
def new_languages(data: CheckedData) -> list[Diagnosis]:
    diagnoses = []
    for part, name, *texts in columns_of_texts(data):
        known, others = (Counter(filter(None, map(language_of, of_part))) for of_part in texts)
        rare = unexpected(others, known, known.total(), others.total())
        if rare:
            said = listed([f"{language} ({counted(others[language], 'text')})" for language in rare])
            problem = f"{part} has texts in {said}, the labels have none (column {shown(name)})"
            finding = Finding("FL024", problem, columns=[name], remedy="label some of these texts")
            diagnoses.append(Diagnosis(finding, untold=UNTOLD))
    return diagnoses


def language_of(text: str) -> str | None:
    """The language of a text, or its script; None for one without letters, or of Latin letters without known words.

    >>> language_of("the cat is on the mat"), language_of("die Katze ist auf der Matte"), language_of("кошка")
    ('English', 'German', 'Cyrillic')
    """
    words = Counter(WORD.findall(text[:CHARACTERS].lower()))
    scores = {language: sum(words[word] for word in known) for language, known in LISTS.items()}
    best = max(scores, key=lambda language: scores[language])
    if scores[best] >= SURE and list(scores.values()).count(scores[best]) == 1:
        return best
    scripts = Counter(unicodedata.name(letter, "?").split()[0] for letter in text[:CHARACTERS] if letter.isalpha())
    script = scripts.most_common(1)[0][0] if scripts else None
    names = {"CJK": "Han", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
    return None if script in (None, "LATIN", "?") else names.get(str(script), str(script).capitalize())
