"""Names that classes had in files and journals of earlier releases, and the public names they have now.

Old files are read under the new names. Keys of the journal are made with the old ones, so that its answers stay valid.
A line is added where a class or function that may be in a candidate moves or is renamed, and none is ever removed.
"""

import io
import json
import zipfile
from typing import Any

SCHEMA = "schema.json"  # where skops says what a file is made of
OLD = {  # foldless 0.1
    "foldless.dates.DateParts": "foldless.saving.DateParts",
    "foldless.engine.fits.CodedClassifier": "foldless.saving.CodedClassifier",
    "foldless.learners.co_regularized.CoRegularizedLogisticRegression": "foldless.learners.CoRegularizedLogisticRegression",  # noqa: E501 (one line for each name)
    "foldless.learners.co_training.CoTraining": "foldless.learners.CoTraining",
    "foldless.learners.co_training_kernel.CoTrainingKernel": "foldless.saving.CoTrainingKernel",
    "foldless.learners.co_training_kernel.Spectrum": "foldless.saving.Spectrum",
    "foldless.learners.dagging.DaggingClassifier": "foldless.learners.DaggingClassifier",
    "foldless.learners.deformed_kernel.DeformedKernel": "foldless.saving.DeformedKernel",
    "foldless.learners.deformed_kernel.Roughness": "foldless.saving.Roughness",
    "foldless.learners.gp_co_training.GPCoTraining": "foldless.learners.GPCoTraining",
    "foldless.learners.gp_fitted.Fitted": "foldless.saving.Fitted",
    "foldless.learners.graph.GraphKernel": "foldless.saving.GraphKernel",
    "foldless.learners.graph.LaplacianPower": "foldless.saving.LaplacianPower",
    "foldless.learners.halves.Halves": "foldless.saving.TwoViews",
    "foldless.learners.kernel_svc.KernelSVC": "foldless.learners.KernelSVC",
    "foldless.learners.l1_logistic.L1LogisticRegression": "foldless.learners.L1LogisticRegression",
    "foldless.learners.latent.PlainKernel": "foldless.saving.PlainKernel",
    "foldless.learners.linear.LinearSVC": "foldless.learners.LinearSVC",
    "foldless.learners.linear.LogisticRegression": "foldless.learners.LogisticRegression",
    "foldless.learners.logistic_outputs.LogisticOutputs": "foldless.learners.LogisticOutputs",
    "foldless.learners.manifold.ManifoldGP": "foldless.learners.ManifoldGP",
    "foldless.learners.multi_view.MultiViewGP": "foldless.learners.MultiViewGP",
    "foldless.learners.multi_view_kernel.MultiViewKernel": "foldless.saving.MultiViewKernel",
    "foldless.learners.naive_bayes.MultinomialNB": "foldless.learners.MultinomialNB",
    "foldless.learners.points.Points": "foldless.saving.Points",
    "foldless.learners.view_gp.ViewGP": "foldless.learners.ViewGP",
    "foldless.learners.view_kernels.CalledView": "foldless.saving.CalledView",
    "foldless.learners.view_kernels.LinearView": "foldless.saving.LinearView",
    "foldless.learners.view_kernels.Precomputed": "foldless.learners.Precomputed",
    "foldless.learners.view_kernels.RbfView": "foldless.saving.RbfView",
    "foldless.measures.bakld.BAKLD": "foldless.measures.BAKLD",
    "foldless.measures.balanced_accuracy.BalancedAccuracy": "foldless.measures.BalancedAccuracy",
    "foldless.measures.bk_reward.BKReward": "foldless.measures.BKReward",
    "foldless.measures.cq_reward.CQReward": "foldless.measures.CQReward",
    "foldless.measures.cqb.CQB": "foldless.measures.CQB",
    "foldless.measures.f_measure.FMeasure": "foldless.measures.FMeasure",
    "foldless.measures.g_mean.GMean": "foldless.measures.GMean",
    "foldless.measures.kld.KLD": "foldless.measures.KLD",
    "foldless.measures.nss.NSS": "foldless.measures.NSS",
    "foldless.measures.q_measure.QMeasure": "foldless.measures.QMeasure",
    "foldless.online.can.CAN": "foldless.online.CAN",
    "foldless.online.nemsis.NEMSIS": "foldless.online.NEMSIS",
    "foldless.online.one_pass.OnePassMiniBatch": "foldless.online.OnePassMiniBatch",
    "foldless.online.scan.SCAN": "foldless.online.SCAN",
    "foldless.online.svm_perf.SVMPerf": "foldless.online.SVMPerf",
    "foldless.streams.preparing.ClippedScaler": "foldless.saving.ClippedScaler",
    "foldless.streams.preparing.HashedCategories": "foldless.saving.HashedCategories",
    "foldless.streams.seasons.Seasons": "foldless.saving.Seasons",
    "foldless.text.ClassWordTransformer": "foldless.text.ClassWordTransformer",
    "foldless.text.ClassWordVectorizer": "foldless.text.ClassWordVectorizer",
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
