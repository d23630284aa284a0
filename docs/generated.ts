import { architecturePage } from './architecture.ts';
import { advisoriesPage } from './advisories.ts';
import { arcSchemaDocuments } from './arc-schemas.ts';
import { cliPage } from './cli.ts';
import { figuresPage } from './figures.ts';
import { settingsDocuments } from './settings.ts';
import { supplyChainDocuments } from './supply-chain.ts';

/** Every generated file: path below the repository root → content. A test compares them with what is committed. */
export function generatedDocuments(root: string): Record<string, string> {
  return {
    ...settingsDocuments(),
    ...arcSchemaDocuments(),
    ...supplyChainDocuments(root),
    ...architecturePage(root),
    'docs/CLI.md': cliPage(),
    'docs/kernel-advisories.md': advisoriesPage(),
    'docs/FIGURES.md': figuresPage(root),
  };
}
