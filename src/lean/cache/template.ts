/** The contents of a template's holes: names of hypotheses and of the preamble's constants, each in the order of a shape. */
export interface Fillings {
  readonly hypotheses: readonly string[];
  readonly constants: readonly string[];
}

const identifier = /[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}\p{N}_'!?₀-₉]+)*/gu;
const hole = /⟦([hc])(\d+)⟧/g;
const keywords = new Set(['at', 'with', 'using', 'only', 'generalizing', 'intro', 'exact', 'by', 'fun']);

/** A script with holes for the names specific to its goal: `induction n` becomes `induction ⟦h0⟧`. */
export function templateOf(script: string, { hypotheses, constants }: Fillings): string {
  return script.replaceAll(identifier, (word) => {
    const constant = longestPrefix(word, constants);
    if (constant !== undefined) return `⟦c${constants.indexOf(constant)}⟧${word.slice(constant.length)}`;
    const [first = ''] = word.split('.', 1);
    const place = keywords.has(first) ? -1 : hypotheses.indexOf(first);
    return place < 0 ? word : `⟦h${place}⟧${word.slice(first.length)}`;
  });
}

/** Instantiates a template for another goal; undefined if that goal lacks a name. */
export function fillIn(template: string, { hypotheses, constants }: Fillings): string | undefined {
  let isWhole = true;
  const script = template.replaceAll(hole, (_, kind: string, number: string) => {
    const name = (kind === 'h' ? hypotheses : constants)[Number(number)];
    if (name === undefined || name === '' || name.includes('✝')) isWhole = false;
    return name ?? '';
  });
  return isWhole ? script : undefined;
}

/** A block of tactics without `by` and indentation; undefined for a term. */
export function filledTemplate(proof: string): string | undefined {
  const [, isBelow, block] = /^by(?:[ \t]*(\n)|[ \t]+)([\s\S]+)$/.exec(proof) ?? [];
  if (block === undefined) return undefined;
  const lines = block.split('\n');
  const indents = lines.filter((text) => text.trim() !== '').map((text) => text.search(/\S/));
  const indent = isBelow === undefined ? 0 : Math.min(...indents);
  return lines.map((text) => text.slice(indent)).join('\n');
}

/** `Even.step` belongs to `Even.step` rather than to `Even`. */
function longestPrefix(word: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => word === name || word.startsWith(`${name}.`))
    .sort((one, two) => two.length - one.length)[0];
}
