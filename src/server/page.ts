import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { glossary } from '../config/glossary.ts';
import { packageRoot } from '../config/package.ts';
import { UserError } from '../core/errors.ts';
import { wordsElementId } from '../shared/api.ts';

/** The dashboard's three files. `index.html` names the other two as `/style.css` and `/main.js`. */
export const pageFiles = ['index.html', 'style.css', 'main.js'] as const;
export type PageFile = (typeof pageFiles)[number];
export type Page = Readonly<Record<PageFile, string>>;

/** A file ready to send. */
export interface SentFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

const types: Readonly<Record<PageFile, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
};

/**
 * The dashboard's files: in a clone, web/ is bundled in memory, again after every change, so no build is needed; an installed package has them in dist/web.
 */
export class PageSource {
  readonly #folder: string;
  readonly #isBuilt: boolean;
  #made: { readonly state: string; readonly page: Promise<Page> } | undefined;
  #sent: { readonly page: Page; readonly files: Map<PageFile, SentFile> } | undefined;

  constructor(folder?: string) {
    const isFromClone = import.meta.filename.endsWith('.ts');
    this.#folder = folder ?? path.join(packageRoot, isFromClone ? 'web' : path.join('dist', 'web'));
    this.#isBuilt = existsSync(path.join(this.#folder, 'main.js'));
    if (!existsSync(path.join(this.#folder, 'index.html')))
      throw new UserError(
        'no-page',
        `the dashboard's files are missing (${this.#folder})`,
        'npm run build:web builds them.',
      );
  }

  async page(): Promise<Page> {
    const state = stateOf(this.#folder);
    if (this.#made?.state !== state) this.#made = { state, page: this.#make() };
    try {
      return await this.#made.page;
    } catch (error) {
      this.#made = undefined;
      throw error;
    }
  }

  async file(name: PageFile): Promise<SentFile> {
    const page = await this.page();
    if (this.#sent?.page !== page) this.#sent = { page, files: new Map() };
    const { files } = this.#sent;
    const sent = files.get(name) ?? sentFile(types[name], page[name]);
    files.set(name, sent);
    return sent;
  }

  async #make(): Promise<Page> {
    const read = (name: string): string => readFileSync(path.join(this.#folder, name), 'utf8');
    const script = this.#isBuilt
      ? read('main.js')
      : await (await import('./bundle.ts')).bundleScript(path.join(this.#folder, 'main.tsx'));
    const style = withImports(read('style.css'), read);
    return { 'index.html': withWords(read('index.html')), 'style.css': style, 'main.js': script };
  }
}

/** A report embeds its style, so the sheets are joined. */
function withImports(style: string, read: (name: string) => string): string {
  return style.replaceAll(/^@import '(.+)';$/gm, (_, name: string) => read(name));
}

/** Tooltips on the dashboard come from the glossary. */
function withWords(html: string): string {
  const words = Object.fromEntries(glossary().map(({ word, means }) => [word, means.replaceAll('*', '')]));
  const json = JSON.stringify(words).replaceAll('<', String.raw`\u003c`);
  return html.replace(
    '</head>',
    () => `<script type="application/json" id="${wordsElementId}">${json}</script>\n</head>`,
  );
}

function sentFile(type: string, text: string): SentFile {
  const plain = new TextEncoder().encode(text);
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { type, etag, plain, gzipped: new Uint8Array(gzipSync(plain, { level: 9 })) };
}

/** Changes whenever a file does: names, sizes and times. */
function stateOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = statSync(path.join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .join('\n');
}
