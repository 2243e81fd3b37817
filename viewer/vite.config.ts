import { defineConfig } from "vite";

// One script, one style sheet, fixed names: the program takes them in as they are (src/net/web_page.c).
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    outDir: "build",
    rollupOptions: { output: { entryFileNames: "app.js", assetFileNames: "app[extname]", inlineDynamicImports: true } },
  },
});
