import type { BunPlugin } from 'bun'

const ownDirectory = '__dirname'
/** No such directory is in an executable. */
const noDirectory = JSON.stringify('/$bunfs/none')

/**
 * Packages that know where they lie, to start workers that the service has no use for: where they lay when the
 * executable was made would be in it, and another place would make another executable.
 */
export const placelessPackages: BunPlugin = {
  name: 'placeless packages',
  setup(build) {
    build.onLoad(
      { filter: /\/(?:pino\/lib\/transport|thread-stream\/index)\.js$/u },
      async ({ path }) => {
        const text = await Bun.file(path).text()
        if (!text.includes(ownDirectory)) throw new Error(`${path} has no ${ownDirectory} any more`)
        return { contents: text.replaceAll(ownDirectory, noDirectory), loader: 'js' }
      },
    )
  },
}
