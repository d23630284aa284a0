/** The encoder's input for a goal or premise: two bags of words. The first has full weight, the second a learned one. */
export interface WordBags {
  /** Words of a goal's conclusion, or of a premise's name. */
  readonly main: readonly string[];
  /** Words of a goal's hypotheses, or of a premise's type. */
  readonly rest: readonly string[];
}

/** Operators and the words that lemma names use for them. */
const operators: ReadonlyMap<string, string> = new Map([
  ['+', 'add'],
  ['*', 'mul'],
  ['-', 'sub'],
  ['/', 'div'],
  ['%', 'mod'],
  ['^', 'pow'],
  ['++', 'append'],
  ['::', 'cons'],
  ['[]', 'nil'],
  ['=', 'eq'],
  ['≠', 'ne'],
  ['≤', 'le'],
  ['<', 'lt'],
  ['≥', 'le'],
  ['>', 'lt'],
  ['↔', 'iff'],
  ['→', 'imp'],
  ['¬', 'not'],
  ['∧', 'and'],
  ['∨', 'or'],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
  ['∃', 'exists'],
  ['∃!', 'existsunique'],
  ['∀', 'forall'],
  ['∣', 'dvd'],
  ['∈', 'mem'],
  ['∉', 'mem'],
  ['⊆', 'subset'],
  ['⊂', 'ssubset'],
  ['∪', 'union'],
  ['∩', 'inter'],
  ['⁻¹', 'inv'],
  ['∘', 'comp'],
  ['×', 'prod'],
  ['↑', 'coe'],
  ['⇑', 'coe'],
  ['∅', 'empty'],
  ['⊥', 'bot'],
  ['⊤', 'top'],
  ['⊔', 'sup'],
  ['⊓', 'inf'],
  ['∑', 'sum'],
  ['∏', 'prod'],
  ['•', 'smul'],
  ['==', 'beq'],
  ['!=', 'bne'],
  ['<$>', 'map'],
  ['>>=', 'bind'],
  ['|||', 'or'],
  ['&&&', 'and'],
  ['^^^', 'xor'],
  ['<<<', 'shiftleft'],
  ['>>>', 'shiftright'],
  ['~~~', 'not'],
  ['ℕ', 'nat'],
  ['ℤ', 'int'],
  ['ℚ', 'rat'],
  ['ℝ', 'real'],
  ['ℂ', 'complex'],
  ['0', 'zero'],
  ['1', 'one'],
  ['2', 'two'],
  ['∞', 'top'],
  ['ᶜ', 'compl'],
]);

/** Constants behind notation; instances and paths between classes carry no information. */
const methods: ReadonlyMap<string, string> = new Map([
  ['HAdd.hAdd', 'add'],
  ['HMul.hMul', 'mul'],
  ['HSub.hSub', 'sub'],
  ['HDiv.hDiv', 'div'],
  ['HMod.hMod', 'mod'],
  ['HPow.hPow', 'pow'],
  ['HAppend.hAppend', 'append'],
  ['HSMul.hSMul', 'smul'],
  ['HOr.hOr', 'or'],
  ['HAnd.hAnd', 'and'],
  ['HXor.hXor', 'xor'],
  ['HShiftLeft.hShiftLeft', 'shiftleft'],
  ['HShiftRight.hShiftRight', 'shiftright'],
  ['LE.le', 'le'],
  ['LT.lt', 'lt'],
  ['GE.ge', 'le'],
  ['GT.gt', 'lt'],
  ['Eq', 'eq'],
  ['Ne', 'ne'],
  ['Iff', 'iff'],
  ['Not', 'not'],
  ['And', 'and'],
  ['Or', 'or'],
  ['Exists', 'exists'],
  ['Dvd.dvd', 'dvd'],
  ['Membership.mem', 'mem'],
  ['Functor.map', 'map'],
  ['Bind.bind', 'bind'],
  ['BEq.beq', 'beq'],
  ['Neg.neg', 'neg'],
  ['Inv.inv', 'inv'],
  ['Complement.complement', 'not'],
  ['GetElem.getElem', 'getelem'],
  ['GetElem?.getElem?', 'getelem?'],
  ['GetElem?.getElem!', 'getelem!'],
  ['Max.max', 'max'],
  ['Min.min', 'min'],
  ['List.cons', 'cons'],
  ['List.nil', 'nil'],
  ['Nat.succ', 'succ'],
  ['EmptyCollection.emptyCollection', 'empty'],
  ['Append.append', 'append'],
]);
const silentSymbols =
  /^(?:OfNat\.ofNat|outParam|optParam|autoParam|id|PLift|ULift)$|(?:^|\.)(?:inst\p{Lu}|inst$|to\p{Lu})|\.mk$/u;

const lexeme =
  /[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*|\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*|\d+|⁻¹|∃!|\[\]|<\$>|>>=|\|\|\||&&&|\^\^\^|<<<|>>>|~~~|\+\+|::|==|!=|&&|\|\||[^\s\p{L}\p{N}_]/gu;
/** `a`, `xs`, `h₁`, `α`: names that people give to variables. */
const variable = /^(?:\p{Ll}{1,2}|\p{Lu}|inst|h\p{Ll}{0,3})(?:_\d+)?['₀-₉\d]*$/u;
const keywords = new Set(
  'fun λ let in if then else have show from by Type Prop Sort at with match do return ofNat'.split(' '),
);
/** Maximum distance of two words that count as a pair. */
const pairReach = 2;

/** The features of a written statement: binders, a colon, a conclusion. */
export function goalFeatures(statement: string, symbols: readonly string[] = [], unfolded = ''): WordBags {
  const [binders, conclusion] = parted(statement.replace(/^\s*(?:(?:theorem|lemma)\s+\S+|example\b)/, ''));
  const main = new Set(paired(wordsOf(conclusion)));
  const rest = new Set([...paired(wordsOf(binders)), ...symbols.flatMap(symbolWords), ...wordsOf(unfolded)]);
  return { main: sorted(main), rest: sorted(rest.difference(main)) };
}

/** The words of a statement and of the constants in it, without names of variables. */
export function goalWords(statement: string, symbols: readonly string[]): string[] {
  const { main, rest } = goalFeatures(statement, symbols);
  return [...main, ...rest].filter((word) => !word.includes('+'));
}

/** The features of a premise whose type is given by its constants (from Lean) or as source text. */
export function premiseFeatures(
  name: string,
  type: { symbols: readonly string[] } | { text: string },
): WordBags {
  const main = new Set(paired(nameWords(name), 1));
  const rest = new Set('symbols' in type ? type.symbols.flatMap(symbolWords) : paired(wordsOf(type.text)));
  return { main: sorted(main), rest: sorted(rest) };
}

/** Words, and adjacent words as unordered pairs: `length_append` and `(xs ++ ys).length` share a pair. */
function paired(words: readonly string[], reach = pairReach): string[] {
  const pairs = words.flatMap((first, place) =>
    words
      .slice(place + 1, place + 1 + reach)
      .map((second) => (first < second ? `${first}+${second}` : `${second}+${first}`)),
  );
  return [...words, ...pairs];
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(lexeme)].flatMap(([token]) => {
    const operator = operators.get(token);
    if (operator !== undefined) return [operator];
    if (!/^\.?[\p{L}_]/u.test(token)) return [];
    const [head = '', ...fields] = token.split('.');
    // `xs.length` is about `length`
    const parts = variable.test(head) || keywords.has(head) ? fields : [head, ...fields];
    return parts.flatMap(nameWords);
  });
}

function symbolWords(symbol: string): string[] {
  const method = methods.get(symbol);
  if (method !== undefined) return [method];
  return silentSymbols.test(symbol) ? [] : nameWords(symbol);
}

/** `List.getElem_append` is `list`, `getelem`, `append`; `mulOneClass` is `mul`, `one`, `class`. */
function nameWords(name: string): string[] {
  return name
    .split(/[._]/)
    .flatMap((part) => (part.startsWith('getElem') ? [part] : part.split(/(?<=\p{Ll})(?=\p{Lu})/u)))
    .map((part) => part.replaceAll(/['₀-₉]/g, '').toLowerCase())
    .flatMap((part) => operators.get(part) ?? part)
    .filter((part) => part !== '' && !/^\d+$/.test(part));
}

/** The conclusion follows the first colon outside brackets, after bound variables of `∀` and the arrows of hypotheses. */
function parted(statement: string): [binders: string, conclusion: string] {
  const { colon } = placesIn(statement);
  let start = colon + 1;
  for (;;) {
    const rest = statement.slice(start);
    const { arrow, comma } = placesIn(rest);
    const end = /^\s*(?:∀|forall\b)/.test(rest) ? comma : arrow;
    if (end < 0) return [statement.slice(0, Math.max(0, start - 1)).replaceAll('∀', ' '), rest];
    start += end + 1;
  }
}

/** Positions of the first colon, the last arrow and the first comma outside brackets; -1 if missing. */
function placesIn(text: string): { colon: number; arrow: number; comma: number } {
  const places = { colon: -1, arrow: -1, comma: -1 };
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if ('([{⟨⦃'.includes(char)) depth++;
    else if (')]}⟩⦄'.includes(char)) depth--;
    else if (depth > 0) continue;
    else if (char === ':' && places.colon < 0 && !'=:'.includes(text.charAt(at + 1))) places.colon = at;
    else if (char === '→') places.arrow = at;
    else if (char === ',' && places.comma < 0) places.comma = at;
  }
  return places;
}

function sorted(words: ReadonlySet<string>): string[] {
  return [...words].sort();
}
