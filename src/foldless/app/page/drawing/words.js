// Numbers and candidates in words.

export function percent(share) {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

export function number(value) {
  if (value === null || value === undefined) return "";
  return value.toFixed(Math.abs(value) >= 1000 ? 0 : 3).replace("-", "−");
}

export function counted(n, one) {
  return `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
}

export function duration(seconds) {
  if (seconds < 1) return `${(1000 * seconds).toFixed(0)} ms`;
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`;
}

export function candidateName({ model, params }) {
  return params ? `${model} ${params}` : model;
}
