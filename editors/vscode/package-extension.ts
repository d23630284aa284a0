import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { rolldown } from 'rolldown';

/** `npm run editor:package`: dist/orch-lean.vsix, a zip file with the bundled extension as VS Code installs it. */
const root = import.meta.dirname;

export interface PackedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export async function extensionFiles(): Promise<PackedFile[]> {
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
  return [
    file('[Content_Types].xml', contentTypes),
    file('extension.vsixmanifest', vsixManifest(JSON.parse(manifest) as Manifest)),
    file('extension/package.json', manifest),
    file('extension/README.md', readFileSync(path.join(root, 'README.md'), 'utf8')),
    file('extension/extension.cjs', await bundled()),
  ];
}

function file(name: string, text: string): PackedFile {
  return { name, bytes: Buffer.from(text) };
}

async function bundled(): Promise<string> {
  await using bundle = await rolldown({
    input: path.join(root, 'src', 'extension.ts'),
    platform: 'node',
    external: ['vscode'],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'cjs', minify: true, codeSplitting: false });
  return output[0].code;
}

interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly publisher: string;
  readonly engines: { readonly vscode: string };
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/><Default Extension=".cjs" ContentType="application/javascript"/>
<Default Extension=".md" ContentType="text/markdown"/><Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`;

function vsixManifest({ name, displayName, description, version, publisher, engines }: Manifest): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
<DisplayName>${displayName}</DisplayName><Description xml:space="preserve">${description}</Description>
<Categories>Other</Categories>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/></Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
</Assets>
</PackageManifest>
`;
}

/** A zip file without compression and with a fixed date: equal files give equal bytes. */
export function zipped(files: readonly PackedFile[]): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const title = Buffer.from(name);
    const about = aboutFile(bytes, title.length);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), about, title, bytes]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), about, place, title]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** Version, flags (UTF-8 names), stored, 1 January 1980, checksum, sizes, length of the name, no extra field. */
function aboutFile(bytes: Buffer, nameLength: number): Buffer {
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt16LE(0x0800, 2);
  about.writeUInt16LE(0x0021, 8);
  about.writeUInt32LE(crc32(bytes), 10);
  about.writeUInt32LE(bytes.length, 14);
  about.writeUInt32LE(bytes.length, 18);
  about.writeUInt16LE(nameLength, 22);
  return about;
}

if (import.meta.main) {
  const target = path.join(root, '..', '..', 'dist', 'orch-lean.vsix');
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, zipped(await extensionFiles()));
  process.stdout.write(`${path.relative(process.cwd(), target)}\n`);
}
