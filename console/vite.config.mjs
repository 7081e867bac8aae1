import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig } from 'vite';

/** A running service, for `vite dev`; what is built has no address in it: it talks to where it came from. */
const SERVICE = process.env.POSTRIDER_BASE_URL ?? 'http://localhost:8080';

/** Modules of the first screen that others use too. */
const SHARED =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack)\/|createLucideIcon|\/sdk\/|console\/src\/(locales|app\/(api|queries|resources|session|stored-outbox))/;

const TARGET = ['chrome120', 'firefox121', 'safari17'];

/** What the inbox reads first is asked for by a script of its own, which the page runs as soon as it has arrived. */
const earlyReads = {
  name: 'early-reads',
  apply: 'build',
  async buildStart() {
    const lib = { entry: 'src/app/start/early-start.ts', formats: ['iife'], name: 'early', fileName: 'early' };
    const [{ output }] = await build({
      root: fileURLToPath(new URL('.', import.meta.url)),
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      build: { write: false, target: TARGET, lib },
    });
    this.emitFile({ type: 'asset', name: 'early.js', source: output[0].code });
  },
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const { fileName } = Object.values(bundle).find(({ names = [] }) => names.includes('early.js')) ?? {};
      return { html, tags: [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }] };
    },
  },
};

export default defineConfig({
  plugins: [react(), tailwind(), earlyReads],
  // Our packages offer their sources under this condition: nothing has to be compiled before.
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Hashed names: they never change what they hold, so browsers keep them.
    assetsDir: 'console/assets',
    manifest: 'manifest.json',
    target: TARGET,
    // A data: address in a style sheet is against the policy of the page, and nobody caches it.
    assetsInlineLimit: 0,
    // The policy allows it; browsers that do not know it load what a module imports all the same.
    modulePreload: { polyfill: false },
    // What every page needs comes in one piece: parts that pages share would otherwise be a request each.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED }] } } },
    reportCompressedSize: false,
    sourcemap: false,
  },
  server: { proxy: { '/v1': SERVICE, '/simulator': SERVICE, '/docs': SERVICE } },
});
