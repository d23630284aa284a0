import { mostExpensiveFirst, type Part } from './profile.ts';

const [width, rowHeight, margin] = [1200, 22, 8] as const;
/** Narrower parts are invisible and not drawn. */
const leastWidth = 0.5;
const letterWidth = 7;
const colours = ['#f4a582', '#fddbc7', '#d1e5f0', '#92c5de', '#c7e9c0'] as const;

/** A flame graph: the width of each part is its CPU, and it is drawn on its parent. Tooltips have the figures. */
export function drawFlames(root: Part): string {
  const depth = depthOf(root);
  const height = depth * rowHeight + 2 * margin;
  const scale = (width - 2 * margin) / Math.max(root.cpuSeconds, Number.EPSILON);
  const draw = (part: Part, x: number, level: number): string[] => {
    const wide = part.cpuSeconds * scale;
    if (wide < leastWidth) return [];
    const y = height - margin - (level + 1) * rowHeight;
    const share = ((100 * part.cpuSeconds) / Math.max(root.cpuSeconds, Number.EPSILON)).toFixed(1);
    const title = `${part.name}: ${part.cpuSeconds.toFixed(2)} CPU-s, ${share} %`;
    const letters = Math.floor((wide - 6) / letterWidth);
    const label = letters < 3 ? '' : part.name.slice(0, letters);
    let next = x;
    const above = mostExpensiveFirst(part).flatMap((child) => {
      const drawn = draw(child, next, level + 1);
      next += child.cpuSeconds * scale;
      return drawn;
    });
    return [
      `<g><title>${escaped(title)}</title>` +
        `<rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${rowHeight - 1}" rx="2" fill="${colours[level % colours.length]}"/>` +
        `<text x="${(x + 3).toFixed(1)}" y="${y + 15}">${escaped(label)}</text></g>`,
      ...above,
    ];
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">${draw(root, margin, 0).join('')}</svg>\n`;
}

function depthOf(part: Part): number {
  return 1 + Math.max(0, ...[...part.parts.values()].map(depthOf));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
