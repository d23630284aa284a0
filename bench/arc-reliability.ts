/** A case with the prediction of a model that was fitted without it. */
export interface Predicted {
  readonly set: string;
  readonly isLacking: boolean;
  readonly right: boolean;
  readonly p: number;
}

/** Cases of similar predicted probability: their number, the mean prediction, and the fraction that is right. */
interface Bin {
  readonly cases: number;
  readonly predicted: number;
  readonly right: number;
}

const edges = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01];

function binsOf(cases: readonly Predicted[]): Bin[] {
  return edges.slice(0, -1).flatMap((from, i) => {
    const those = cases.filter(({ p }) => p >= from && p < (edges[i + 1] ?? 1));
    if (those.length === 0) return [];
    const predicted = those.reduce((sum, { p }) => sum + p, 0) / those.length;
    const right = those.filter((one) => one.right).length / those.length;
    return [{ cases: those.length, predicted: rounded(predicted), right: rounded(right) }];
  });
}

export function reliabilityText(cases: readonly Predicted[]): string {
  return binsOf(cases)
    .map(
      ({ cases: count, predicted, right }) =>
        `  ${count} cases, predicted ${percent(predicted)}, right ${percent(right)}`,
    )
    .join('\n');
}

/** The bins as the module that the dashboard reads. */
export function reliabilityModule(cases: readonly Predicted[]): string {
  const rows = binsOf(cases).map(
    ({ cases: count, predicted, right }) =>
      `  { cases: ${count}, predicted: ${predicted}, right: ${right} },\n`,
  );
  return `/** How often ARC rows with similar stated probabilities were right, on tasks and styles that the model was not fitted on. */\nexport const arcReliability = [\n${rows.join('')}];\n`;
}

const [side, margin] = [240, 36] as const;

/** One panel per title: a point per bin, sized by its number of cases, and the diagonal of a perfect forecast. */
export function reliabilityPlot(panels: readonly { title: string; cases: readonly Predicted[] }[]): string {
  const drawn = panels.map(
    ({ title, cases }, i) =>
      `<g transform="translate(${i * (side + margin)} 0)">${panel(title, binsOf(cases))}</g>`,
  );
  const width = panels.length * (side + margin) + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${side + 2 * margin}" font-family="sans-serif" font-size="12" fill="#666666">${drawn.join('')}</svg>\n`;
}

function panel(title: string, bins: readonly Bin[]): string {
  const x = (share: number): string => (margin + side * share).toFixed(1);
  const y = (share: number): string => (margin + side * (1 - share)).toFixed(1);
  const points = bins.map(
    ({ cases, predicted, right }) =>
      `<circle cx="${x(predicted)}" cy="${y(right)}" r="${Math.min(14, 2 + Math.sqrt(cases) / 2).toFixed(1)}" fill="#009e73" opacity="0.7"><title>${cases} cases</title></circle>`,
  );
  return (
    `<text x="${margin}" y="${margin - 12}">${title}</text>` +
    `<path d="M${margin} ${margin}V${margin + side}H${margin + side}" fill="none" stroke="#666666"/>` +
    `<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#999999" stroke-dasharray="4 4"/>` +
    `${points.join('')}<text x="${margin}" y="${side + margin + 16}">predicted probability (across), share that is right (up)</text>`
  );
}

function rounded(share: number): number {
  return Math.round(1000 * share) / 1000;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
