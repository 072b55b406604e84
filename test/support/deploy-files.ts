import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..', 'deploy')

/** As far as tests look into it. */
export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: {
    readonly selector?: Readonly<Record<string, unknown>>
    readonly ports?: readonly { readonly targetPort: string }[]
    readonly template?: { readonly spec: { readonly containers: readonly Container[] } }
  }
}

export interface Container {
  readonly image: string
  readonly args: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe: HttpProbe
  readonly readinessProbe: HttpProbe
  readonly livenessProbe: HttpProbe
}

interface HttpProbe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

export interface Kustomization {
  readonly configMapGenerator?: readonly { readonly literals: readonly string[] }[]
}

export interface Compose {
  readonly services: Readonly<
    Record<string, { readonly build?: object; readonly environment?: Record<string, string> }>
  >
}

export const readDeployFile = async (path: string): Promise<string> =>
  await Bun.file(join(root, path)).text()

/** Every document of a YAML file, in the shape that the caller knows it to have. */
export async function readYaml<Document>(path: string): Promise<readonly Document[]> {
  const parsed = Bun.YAML.parse(await readDeployFile(path))
  return (Array.isArray(parsed) ? parsed : [parsed]) as readonly Document[]
}

/** The names before `=` in lines of a file of settings. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gmu)].map(([, name]) => name ?? '')

/** Files below `deploy/`, by a glob. */
export const deployFiles = (pattern: string): readonly string[] =>
  [...new Bun.Glob(pattern).scanSync(root)].toSorted()

/** Labels that say who put something there, and what only one of two ways to do so has. */
const ofTheWay =
  /^(app\.kubernetes\.io\/(name|instance|version|managed-by)|helm\.sh\/chart|checksum\/settings|namespace|imagePullPolicy)$/u

/**
 * A manifest without what differs by how it was made: such labels, the namespace, the hash that kustomize puts
 * behind the name of a ConfigMap, the tag where none is named, and what says nothing as it is empty.
 */
export function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'string')
    return value.replace(/^sedge-[a-z0-9]{10}$|^sedge:0\.1\.0$/u, 'sedge')
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value)
    .filter(([name]) => !ofTheWay.test(name))
    .map(([name, member]) => [name, comparable(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => !Bun.deepEquals(member, {})))
}
