import { allOperations } from '../src/planes/operations.ts'
import { clientMethods, clientSource } from './client-source.ts'
import { generatedNote, sourceNote, table } from './markdown.ts'

const all = () => allOperations
const read = (path: string) => Bun.file(new URL(`../src/client/${path}`, import.meta.url)).text()

/** `src/client/operations.ts`. */
export function clientOperations(): string {
  const { types, values } = clientSource(all())
  return [
    sourceNote,
    "import type { Bytes, ServerSentEvent } from './wire-types.ts'",
    routeType,
    types,
    values,
  ].join('\n\n')
}

const routeType = `/** How an operation is asked. */
export interface Route {
  readonly method: string
  /** \`{path}\` is a path of several segments; any other name in braces is one segment. */
  readonly path: string
  /** Keys that open it; none where it is public. */
  readonly keys?: readonly ('access' | 'account' | 'purge' | 'analytics')[]
  readonly takesToken?: true
  /** Bytes where left out. */
  readonly body?: 'json'
  /** JSON where left out. */
  readonly answer?: 'response' | 'events'
  /** Statuses of refusals that carry an answer all the same. */
  readonly answers?: readonly number[]
}`

/** `client/sedge.js`: the client as one file for Node, browsers and bundlers. */
export async function bundledClient(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL('../src/client/client.ts', import.meta.url).pathname],
    target: 'browser',
    format: 'esm',
  })
  return `${sourceNote}\n${(await outputs[0]?.text()) ?? ''}`
}

const frameworks = new URL('../src/client/frameworks/', import.meta.url)

/** What the package exports besides its client, by the file that it is made of. */
const sourceByModule = {
  next: 'next',
  nuxt: 'nuxt',
  astro: 'astro',
  unpic: 'unpic',
  'sedge-picture': 'image-element',
  'sedge-upload': 'upload-element',
} as const

/** `client/next.js` and so on. The client itself is in the file beside them. */
export const frameworkModules: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(sourceByModule).map(([name, source]) => [
    `client/${name}.js`,
    () => bundled(`${source}.ts`),
  ]),
)

async function bundled(file: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [new URL(file, frameworks).pathname],
    target: 'browser',
    format: 'esm',
    plugins: [
      {
        name: 'client beside it',
        setup(build) {
          build.onResolve({ filter: /\/client\.ts$/u }, () => ({
            path: './sedge.js',
            external: true,
          }))
        },
      },
    ],
  })
  return `${sourceNote}\n${(await outputs[0]?.text()) ?? ''}`
}

/** `client/sedge.d.ts`: its types, as one file. */
export async function clientDeclarations(): Promise<string> {
  const { types } = clientSource(all())
  const own = `${await read('wire-types.ts')}\n${await read('types.ts')}`.replaceAll(
    /^import type .*\n/gmu,
    '',
  )
  return [sourceNote, types, own, declarations].join('\n\n')
}

const declarations = `/** The service refused, or failed to answer; \`code\` says why and is never renamed. */
export declare class SedgeError extends Error implements Refusal {
  override readonly name: 'SedgeError'
  readonly status: Refusal['status']
  readonly code: Refusal['code']
  readonly target: Refusal['target']
  readonly details: Refusal['details']
  readonly requestId: Refusal['requestId']
  readonly retryAfterSeconds: Refusal['retryAfterSeconds']
  readonly body: Refusal['body']
  constructor(refusal: Refusal)
}

/** No answer came: the service is not there, or the connection broke off. \`cause\` says more. */
export declare class SedgeConnectionError extends Error {
  override readonly name: 'SedgeConnectionError'
}

/**
 * A client of a running service, with a method for each of its operations. Throws \`SedgeError\` where the
 * service refuses and \`SedgeConnectionError\` where none answers.
 */
export declare const createClient: (options: ClientOptions) => Client

/** A URL of \`/api/signed\` that anybody may fetch until \`expiresAt\`. Asks nobody: the secret is enough. */
export declare function signUrl(address: SignedUrl): Promise<string>`

/** `docs/client-methods.md`. */
export const clientPage = (): string =>
  [
    '# Methods of the client',
    generatedNote,
    'One for each operation of the interface; [client.md](client.md) tells how they are used.',
    table(['Method', 'What it does', 'Asks', 'Answers'], clientMethods(all())),
  ].join('\n\n')
