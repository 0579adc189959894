"""Names that classes had in files and journals of earlier releases, and the public names they have now.

Old files are read under the new names. Keys of the journal are made with the old ones, so that its answers stay valid.
A name is added where a class or function that may be in a candidate moves or is renamed, and none is ever removed.
"""

import io
import json
import zipfile
from typing import Any

SCHEMA = "schema.json"  # where skops says what a file is made of
MOVED = {  # classes of foldless 0.1, each in the file that it was in, by the package that has it now
    "foldless.learners": (
        "learners.co_regularized.CoRegularizedLogisticRegression", "learners.co_training.CoTraining",
        "learners.dagging.DaggingClassifier", "learners.gp_co_training.GPCoTraining", "learners.kernel_svc.KernelSVC",
        "learners.l1_logistic.L1LogisticRegression", "learners.linear.LinearSVC", "learners.linear.LogisticRegression",
        "learners.logistic_outputs.LogisticOutputs", "learners.manifold.ManifoldGP", "learners.multi_view.MultiViewGP",
        "learners.naive_bayes.MultinomialNB", "learners.view_gp.ViewGP", "learners.view_kernels.Precomputed",
    ),
    "foldless.measures": (
        "measures.bakld.BAKLD", "measures.balanced_accuracy.BalancedAccuracy", "measures.bk_reward.BKReward",
        "measures.cq_reward.CQReward", "measures.cqb.CQB", "measures.f_measure.FMeasure", "measures.g_mean.GMean",
        "measures.kld.KLD", "measures.nss.NSS", "measures.q_measure.QMeasure",
    ),
    "foldless.online": (
        "online.can.CAN", "online.nemsis.NEMSIS", "online.one_pass.OnePassMiniBatch", "online.scan.SCAN",
        "online.svm_perf.SVMPerf",
    ),
    "foldless.saving": (
        "dates.DateParts", "engine.fits.CodedClassifier", "learners.co_training_kernel.CoTrainingKernel",
        "learners.co_training_kernel.Spectrum", "learners.deformed_kernel.DeformedKernel",
        "learners.deformed_kernel.Roughness", "learners.gp_fitted.Fitted", "learners.graph.GraphKernel",
        "learners.graph.LaplacianPower", "learners.latent.PlainKernel", "learners.multi_view_kernel.MultiViewKernel",
        "learners.points.Points", "learners.view_kernels.CalledView", "learners.view_kernels.LinearView",
        "learners.view_kernels.RbfView", "streams.preparing.ClippedScaler", "streams.preparing.HashedCategories",
        "streams.seasons.Seasons",
    ),
    "foldless.text": (
        "text.ClassWordTransformer", "text.ClassWordVectorizer",
    ),
}  # fmt: skip
OLD = {
    **{f"foldless.{old}": f"{home}.{old.rpartition('.')[2]}" for home, moved in MOVED.items() for old in moved},
    "foldless.learners.halves.Halves": "foldless.saving.TwoViews",
}
_BEFORE = {new: old for old, new in reversed(OLD.items())}


def name_in_keys(thing: Any) -> str:
    """The name by which a class or function enters the journal's keys: the first one that it was released with."""
    return _BEFORE.get(_name(thing), _name(thing))


def is_renamed(thing: Any) -> bool:
    """Whether a class or function has had another name before."""
    return _name(thing) in _BEFORE


def with_public_names(content: bytes) -> bytes:
    """A skops file in which classes have the names of today; one without old names stays as it is.

    This trusts nothing: what the file holds is checked under the new names, as if it had been saved with them.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        schema = json.loads(archive.read(SCHEMA))
        if not _rename(schema):
            return content
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as renamed:
            for name in archive.namelist():
                renamed.writestr(name, json.dumps(schema) if name == SCHEMA else archive.read(name))
    return buffer.getvalue()


def _name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def _rename(node: Any) -> bool:
    """Rename the classes of a schema in place; whether there were any."""
    inside = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
    changed = [_rename(part) for part in inside]
    if isinstance(node, dict) and isinstance(node.get("__module__"), str):
        new = OLD.get(f"{node['__module__']}.{node.get('__class__')}")
        if new is not None:
            node["__module__"], _, node["__class__"] = new.rpartition(".")
            changed.append(True)
    return any(changed)
