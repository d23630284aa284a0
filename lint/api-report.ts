import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';

/**
 * Compares what programs that import orch can see with docs/api-report.txt, after the compiler has written its declarations. A change
 * must be meant: `--write` records it.
 */
const root = path.join(import.meta.dirname, '..');
const report = path.join(root, 'docs', 'api-report.txt');

interface PublicName {
  readonly name: string;
  /** Below the folder of the declarations. */
  readonly file: string;
  readonly text: string;
  readonly hasComment: boolean;
}

/** What programs that import orch can see, without comments: a change of it is a change for them. */
function apiReport(names: readonly PublicName[]): string {
  const sorted = names.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ file, text }) => `// ${file}\n${text}\n`).join('\n');
}

/** The names that index.d.ts in a folder of compiled declarations exports. */
function publicNames(folder: string): PublicName[] {
  return exportsOf(folder, 'index.d.ts').map(({ name, file }) => declared(folder, name, file));
}

/** Names that a file exports from other files. */
function exportsOf(folder: string, from: string): { readonly name: string; readonly file: string }[] {
  const { program } = parseSync(from, readFileSync(path.join(folder, from), 'utf8'));
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) return [];
    const file = below(from, statement.source.value);
    return statement.specifiers.map(({ local }) => ({
      name: local.type === 'Literal' ? local.value : local.name,
      file,
    }));
  });
}

function declared(folder: string, name: string, file: string): PublicName {
  const found = declarationsIn(file, readFileSync(path.join(folder, file), 'utf8')).get(name);
  if (found) return { name, file, ...found };
  const again = [...exportsOf(folder, file), ...importsOf(folder, file)].find((one) => one.name === name);
  if (!again) throw new Error(`${file} does not declare ${name}`);
  return declared(folder, name, again.file);
}

function importsOf(folder: string, from: string): { readonly name: string; readonly file: string }[] {
  const { program } = parseSync(from, readFileSync(path.join(folder, from), 'utf8'));
  return program.body.flatMap((statement) =>
    statement.type === 'ImportDeclaration'
      ? statement.specifiers.map(({ local }) => ({
          name: local.name,
          file: below(from, statement.source.value),
        }))
      : [],
  );
}

function below(from: string, source: string): string {
  return path.posix.join(path.posix.dirname(from), source.replace(/\.[jt]s$/, '.d.ts'));
}

function declarationsIn(file: string, code: string): Map<string, Omit<PublicName, 'name' | 'file'>> {
  const { program, comments } = parseSync(file, code);
  const found = new Map<string, Omit<PublicName, 'name' | 'file'>>();
  for (const statement of program.body) {
    const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    const [, name] =
      /^(?:export )?(?:declare )?(?:abstract )?(?:class|function|interface|type|const|enum) (\w+)/.exec(
        code.slice(statement.start, statement.end),
      ) ?? [];
    if (!inner || name === undefined) continue;
    const inside = comments.filter(({ start, end }) => start >= statement.start && end <= statement.end);
    let text = code.slice(statement.start, statement.end);
    for (const { start, end } of inside.toReversed())
      text = text.slice(0, start - statement.start) + text.slice(end - statement.start);
    const hasComment = comments.some(({ end }) => code.slice(end, statement.start).trim() === '');
    // a value and a type may share a name
    const other = found.get(name);
    found.set(name, {
      text: [...(other ? [other.text] : []), text.replaceAll(/^[ \t]*\n/gm, '')].join('\n'),
      hasComment: hasComment || other?.hasComment === true,
    });
  }
  return found;
}

const names = publicNames(path.join(root, 'node_modules', '.cache', 'declarations', 'src'));
const undocumented = names.filter(({ hasComment }) => !hasComment);
for (const { name, file } of undocumented) console.error(`${file}: ${name} has no comment`);
const found = apiReport(names);
if (process.argv.includes('--write')) writeFileSync(report, found);
const isKnown = readFileSync(report, 'utf8') === found;
if (!isKnown)
  console.error(
    'The library has changed for its users: if that is meant, run npm run api-report -- --write.',
  );
if (!isKnown || undocumented.length > 0) process.exitCode = 1;
