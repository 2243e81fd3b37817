import { defineConfig } from "vite";

// Fixed names: the program takes the files in as they are (src/page/web_page.c). boot.js paints, app.js is the page, gltf.js is
// fetched where a vehicle is drawn by such a file.
export default defineConfig({
  base: "./",
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "worker.js" } } },
  build: {
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 900,
    outDir: "build",
    rollupOptions: {
      output: { entryFileNames: "boot.js", chunkFileNames: (chunk) => (chunk.name === "main" ? "app.js" : "gltf.js"), assetFileNames: "app[extname]" },
    },
  },
});
