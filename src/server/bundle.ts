import { rolldown } from 'rolldown';

/** Bundles the dashboard's script into one small file. Only a clone has the bundler, which is a development dependency. */
export async function bundleScript(entry: string): Promise<string> {
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    transform: {
      jsx: { runtime: 'automatic', importSource: 'preact' },
      define: { 'process.env.NODE_ENV': '"production"' },
    },
    logLevel: 'silent',
  });
  try {
    const { output } = await bundle.generate({ format: 'es', minify: true, codeSplitting: false });
    const [chunk] = output;
    return chunk.code;
  } finally {
    await bundle.close();
  }
}
