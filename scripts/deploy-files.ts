import type { BunPlugin } from 'bun'

import { sourceNote } from './markdown.ts'

const folder = new URL('../src/cli/deploy/', import.meta.url)

/** `actions/deploy/sedge.mjs`: `sedge deploy` and `sedge preview` as one file for Node. */
export async function bundledDeploy(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL('standalone.ts', folder).pathname],
    target: 'node',
    format: 'esm',
    plugins: [connectedByEnvironment],
  })
  return `${sourceNote}\n${(await outputs[0]?.text()) ?? ''}`
}

/** There are no profiles where jobs run, and so nothing that reads them. */
const connectedByEnvironment: BunPlugin = {
  name: 'connected by the environment',
  setup(build) {
    build.onResolve({ filter: /\/connection\.ts$/u }, () => ({
      path: new URL('environment-connection.ts', folder).pathname,
    }))
  },
}
