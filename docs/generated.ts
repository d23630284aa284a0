import { architecturePage } from './architecture.ts';
import { advisoriesPage } from './advisories.ts';
import { arcSchemaDocuments } from './arc-schemas.ts';
import { listingOf } from '../src/commands/options/listing.ts';
import { makeProgram } from '../src/program.ts';
import { cliPage } from './cli.ts';
import { compatibilityPage } from './compatibility.ts';
import { figuresPage } from './figures.ts';
import { settingsDocuments } from './settings.ts';
import { supplyChainDocuments } from './supply-chain.ts';

/** Every generated file: path below the repository root → content. A test compares them with what is committed. */
export async function generatedDocuments(root: string): Promise<Record<string, string>> {
  return {
    ...settingsDocuments(),
    ...arcSchemaDocuments(),
    ...supplyChainDocuments(root),
    ...architecturePage(root),
    'docs/CLI.md': await cliPage(),
    'docs/commands.json': `${JSON.stringify(listingOf(await makeProgram()), null, 2)}\n`,
    'docs/kernel-advisories.md': advisoriesPage(),
    'docs/FIGURES.md': figuresPage(root),
    'docs/COMPATIBILITY.md': compatibilityPage(root),
  };
}
