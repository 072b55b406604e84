import type { BunPlugin } from 'bun'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = /\bimport\.meta\.(dir|url)\b/gu

/** Whatever asks where it lies is told where its source does: it finds the files and packages of the checkout. */
const placesOfSources: BunPlugin = {
  name: 'places of sources',
  setup(build) {
    build.onLoad({ filter: /\.(?:js|mjs|ts|tsx)$/u }, async ({ path, loader }) => {
      const text = await Bun.file(path).text()
      const [directory, url] = [dirname(path), pathToFileURL(path).href].map((each) =>
        JSON.stringify(each),
      )
      const contents = text.replace(place, (_, name) => (name === 'dir' ? directory : url) ?? '')
      return { contents, loader }
    })
  },
}

/**
 * Compiles the command `sedge` into the file `program`, with bytecode: its process does not transpile, parse and
 * link some 1,700 modules before it does anything. It is not the one file of decisions/055, but the checkout in
 * all that it does: it reads files from there, starts children from there with this runtime, and ends with
 * whoever started it. Rejects where the sources cannot be compiled.
 */
export async function compileService(program: string): Promise<void> {
  await Bun.build({
    entrypoints: [join(root, 'src/cli/main.ts')],
    root,
    target: 'bun',
    format: 'esm',
    splitting: true,
    bytecode: true,
    sourcemap: 'inline',
    define: {
      'Bun.isStandaloneExecutable': 'false',
      'process.execPath': JSON.stringify(process.execPath),
    },
    plugins: [placesOfSources],
    compile: { outfile: program, execArgv: ['--no-orphans'], autoloadBunfig: false },
  })
}
