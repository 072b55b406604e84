import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Need } from './needs.ts'

const packages = join(import.meta.dir, '../../tools/node_modules/@modelcontextprotocol')
const location = join(packages, 'client')

/** The official client of MCP, as a package. */
export const agentPackage: Need = {
  what: '@modelcontextprotocol/client',
  howToGetIt: 'npm ci --prefix tools',
  isThere: () => existsSync(location),
}

export const conformanceProgram = join(packages, 'conformance', 'dist', 'index.js')

/** The revisions that are spoken, as a client pins one. */
export const spokenRevisions = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof spokenRevisions)[number]

interface Content {
  readonly type: string
  readonly text?: string
  readonly data?: string
  readonly mimeType?: string
}

export interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly Content[]
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the operation responds with
  readonly structuredContent?: any
}

export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> }
  readonly outputSchema?: object
  readonly annotations: Readonly<Record<string, unknown>>
}

interface Contents {
  readonly contents: readonly {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
  }[]
}

interface CallOptions {
  readonly onprogress?: (progress: { readonly message?: string }) => void
}

export interface AgentClient {
  connect(transport: object): Promise<void>
  close(): Promise<void>
  getNegotiatedProtocolVersion(): string | undefined
  getInstructions(): string | undefined
  listTools(): Promise<{ readonly tools: readonly ListedTool[] }>
  callTool(
    call: { readonly name: string; readonly arguments: object },
    options?: CallOptions,
  ): Promise<ToolResult>
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>
  listResourceTemplates(): Promise<{
    readonly resourceTemplates: readonly { readonly uriTemplate: string }[]
  }>
  readResource(of: { readonly uri: string }): Promise<Contents>
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>
  getPrompt(of: { readonly name: string; readonly arguments: object }): Promise<{
    readonly messages: readonly { readonly content: Content }[]
  }>
  complete(of: object): Promise<{ readonly completion: { readonly values: readonly string[] } }>
  setRequestHandler(method: string, handler: (request: Question) => Promise<object>): void
}

interface Question {
  readonly params: { readonly message: string }
}

interface ClientPackage {
  readonly Client: new (info: object, options: object) => AgentClient
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => object
}

interface StdioPackage {
  readonly StdioClientTransport: new (options: object) => object
}

interface Options {
  readonly revision: Revision
  /** What a person says to a question; without one the client cannot ask anybody. */
  readonly onQuestion?: (message: string) => boolean
}

interface OverHttp extends Options {
  readonly url?: string
  readonly headers: Readonly<Record<string, string>>
  /** In place of the network. */
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>
}

async function clientOf({ revision, onQuestion }: Options): Promise<[AgentClient, ClientPackage]> {
  const found = (await import(join(location, 'dist/index.mjs'))) as ClientPackage
  const client = new found.Client(
    { name: 'tests', version: '1' },
    {
      capabilities: onQuestion === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } },
    },
  )
  if (onQuestion !== undefined)
    client.setRequestHandler('elicitation/create', ({ params: { message } }) =>
      Promise.resolve(
        onQuestion(message)
          ? { action: 'accept', content: { confirm: true } }
          : { action: 'decline' },
      ),
    )
  return [client, found]
}

/** Over HTTP, at `/mcp`. */
export async function connectOverHttp({ url, headers, fetch, ...options }: OverHttp) {
  const [client, { StreamableHTTPClientTransport }] = await clientOf(options)
  const transport = new StreamableHTTPClientTransport(
    new URL('/mcp', url ?? 'http://127.0.0.1:8788'),
    { requestInit: { headers }, ...(fetch && { fetch }) },
  )
  await client.connect(transport)
  return client
}

interface OverStdio extends Options {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
}

/** With a program that is started. */
export async function connectOverStdio({ command, environment, ...options }: OverStdio) {
  const [client] = await clientOf(options)
  const { StdioClientTransport } = (await import(join(location, 'dist/stdio.mjs'))) as StdioPackage
  const [program, ...args] = command
  await client.connect(
    new StdioClientTransport({ command: program, args, env: environment, stderr: 'pipe' }),
  )
  return client
}
