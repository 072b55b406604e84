import type { BunPlugin } from 'bun'

import { looseFilesName } from '../../src/lib/files/program-files.ts'

const ownRequire = 'createRequire(import.meta.url)'

/**
 * sharp finds its library by the name of a package. In an executable that package is where loose files were
 * unpacked, and found by its path alone: an executable reads no `package.json`.
 */
const looseRequire = `((specifier) =>
  createRequire(import.meta.url)(
    process.env.${looseFilesName} + '/node_modules/' + specifier.replace(/\\/sharp\\.node$/u, '/index.cjs'),
  ))`

export const loosePackages: BunPlugin = {
  name: 'loose packages',
  setup(build) {
    build.onLoad({ filter: /\/sharp\/dist\/(?:sharp|utility)\.mjs$/u }, async ({ path }) => {
      const text = await Bun.file(path).text()
      if (!text.includes(ownRequire)) throw new Error(`${path} does not use ${ownRequire} any more`)
      return { contents: text.replace(ownRequire, looseRequire), loader: 'js' }
    })
  },
}
