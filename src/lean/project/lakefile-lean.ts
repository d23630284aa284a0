import type { Lakefile } from './lake.ts';
import { valueOf } from '../base/options.ts';
import { plainCode } from '../base/plain-code.ts';

/**
 * The declarative part of a `lakefile.lean`: packages, libraries, programs, and the fields that say where modules are and
 * which options they get. A lakefile is a program; computed fields are ignored.
 */
export function declarationsOf(text: string): Lakefile {
  const plain = plainCode(text.replace(/^\uFEFF/, ''));
  const blocks = [
    ...plain.matchAll(/^(?:@\[[^\]]*\]\s*)*(package|lean_lib|lean_exe)\s+(«[^»]*»|"[^"]*"|[^\s{]+)/gm),
  ];
  const result: { -readonly [Key in keyof Lakefile]: Lakefile[Key] } = {
    lean_lib: [],
    lean_exe: [],
    require: requirementsOf(plain),
  };
  for (const [index, block] of blocks.entries()) {
    const [whole, kind, quoted = ''] = block;
    const end = Math.min(
      blocks[index + 1]?.index ?? plain.length,
      nextCommand(plain, block.index + whole.length),
    );
    const body = plain.slice(block.index + whole.length, end);
    const name = quoted.replaceAll(/[«»"]/g, '');
    const srcDir = /\bsrcDir\s*:=\s*"([^"]*)"/.exec(body)?.[1];
    const common = { leanOptions: leanOptions(body, plain), ...(srcDir !== undefined && { srcDir }) };
    if (kind === 'package') Object.assign(result, { name, ...common });
    else if (kind === 'lean_lib')
      result.lean_lib?.push({ name, ...common, ...names('roots', body), ...names('globs', body) });
    else {
      const root = /\broot\s*:=\s*`([^\s,]+)/.exec(body)?.[1];
      result.lean_exe?.push({
        name,
        ...(root !== undefined && { root }),
        ...(srcDir !== undefined && { srcDir }),
      });
    }
  }
  return result;
}

/** `require mathlib from git "…"`, `require "scope" / "name"`; one inside of `meta if` counts, since it may apply. */
function requirementsOf(plain: string): { name: string }[] {
  const found = plain.matchAll(/^[ \t]*require\s+(?:"[^"\n]*"\s*\/\s*)?("[^"\n]*"|«[^»\n]*»|[^\s"@]+)/gm);
  return [...found].map(([, name = '']) => ({ name: name.replaceAll(/[«»"]/g, '') }));
}

/** ``roots := #[`A, `B]``, ``globs := #[.submodules `A, .andSubmodules `B]`` */
function names(field: 'roots' | 'globs', body: string): Partial<Record<'roots' | 'globs', string[]>> {
  const list = new RegExp(`\\b${field}\\s*:=\\s*#\\[([^\\]]*)\\]`).exec(body)?.[1];
  if (list === undefined) return {};
  const found = [
    ...list.matchAll(/(?:\.?(?:Glob\.)?(one|submodules|andSubmodules)\s+)?`((?:«[^»]*»|[^\s,`\]])+)/g),
  ];
  const suffix = { one: '', submodules: '.+', andSubmodules: '.*' } as const;
  return {
    [field]: found.map(([, kind, name = '']) => name + suffix[(kind ?? 'one') as keyof typeof suffix]),
  };
}

/** ``leanOptions := #[⟨`autoImplicit, false⟩]``, written inline or as a definition that the field refers to. */
function leanOptions(body: string, file: string): Record<string, string | number | boolean> {
  const field = /\b(?:leanOptions|moreServerOptions)\s*:=\s*(#\[[\s\S]*?\]|[\w.]+)/.exec(body)?.[1];
  if (field === undefined) return {};
  const list = field.startsWith('#[')
    ? field
    : (new RegExp(
        `\\babbrev ${field}\\b[^\\n]*:=\\s*(#\\[[\\s\\S]*?\\])|\\bdef ${field}\\b[^\\n]*:=\\s*(#\\[[\\s\\S]*?\\])`,
      ).exec(file)?.[0] ?? '');
  const pairs = list.matchAll(
    /⟨`((?:«[^»]*»|[^\s,⟩])+)\s*,\s*(?:\.?(?:LeanOptionValue\.)?of\w+\s+)?("[^"]*"|[^\s⟩]+)\s*⟩/g,
  );
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, valueOf(value)]));
}

function nextCommand(text: string, from: number): number {
  const next =
    /^(?:@\[|require|script|def|abbrev|open|namespace|end|target|extern_lib|lean_|package|meta|set_option|elab|macro|run_cmd|post_update|input_|module_facet|package_facet|library_facet)\b/gm;
  next.lastIndex = from;
  return next.exec(text)?.index ?? text.length;
}
