import { defineConfig } from "vite";

// Two scripts, one style sheet, fixed names: the program takes them in as they are (src/net/web_page.c).
export default defineConfig({
  base: "./",
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "worker.js" } } },
  build: {
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    outDir: "build",
    rollupOptions: { output: { entryFileNames: "app.js", assetFileNames: "app[extname]", inlineDynamicImports: true } },
  },
});
