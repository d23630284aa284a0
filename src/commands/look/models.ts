import path from 'node:path';
import type { Command } from 'commander';
import { valueOrThrow } from '../../core/result.ts';
import { escaped } from '../../shared/for-people.ts';

export function registerModels(program: Command): void {
  const models = program.command('models').description('Manage the weights of local models');
  models
    .command('fetch')
    .description('Download the ONNX weights of a public model, and check them by hash')
    .argument('<name>', 'reprover-retriever, reprover-generator, or OWNER/REPOSITORY of the Hugging Face hub')
    .addHelpText('after', '\nHF_ENDPOINT names a mirror of the hub.')
    .action(async (name: string) => {
      const { settingsFrom } = await import('../../app/settings.ts');
      const { fetchWeights } = await import('../../models/hub.ts');
      const endpoint = (process.env['HF_ENDPOINT'] ?? 'https://huggingface.co').replace(/\/+$/, '');
      const weights = path.join(settingsFrom().cache_dir, 'weights');
      const { folder, revision, files } = valueOrThrow(await fetchWeights(name, weights, { endpoint, tell }));
      const variable = files.includes('decoder_model.onnx') ? 'ORCH_MODEL' : 'ORCH_ENCODER';
      process.stdout.write(
        escaped`${folder} (revision ${revision})\nUse it with ${variable}=onnx:${folder}\n`,
      );
    });
}

function tell(file: string): void {
  process.stderr.write(escaped`${file}\n`);
}
