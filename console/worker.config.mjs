import { defineConfig } from 'vite';

/** The service worker: one file under an address that stays, since browsers look there for the next version. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/console',
    emptyOutDir: false,
    target: ['chrome120', 'firefox121', 'safari17'],
    lib: { entry: 'src/worker/service-worker.ts', formats: ['iife'], name: 'worker', fileName: () => 'sw.js' },
    reportCompressedSize: false,
    sourcemap: false,
  },
});
