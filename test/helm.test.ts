import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { keySettings, settings } from '../src/config/config.ts'
import { Secret } from '../src/lib/secrets/secret.ts'
import {
  comparable,
  type Container,
  type Manifest,
  readDeployFile,
} from './support/deploy-files.ts'
import { have, helm, kustomize, manifestCheck } from './support/needs.ts'

const root = join(import.meta.dir, '..')
const chart = 'deploy/helm/sedge'

/** Helm as it is built from the module proxy takes the oldest Kubernetes for the one it is to work on. */
const fixed = ['--namespace', 'sedge', '--kube-version', '1.34.0']
const sets = (values: readonly string[]): readonly string[] =>
  values.flatMap((value) => ['--set', value])
const template = (values: readonly string[]): string[] => [
  'helm',
  'template',
  ...fixed,
  'sedge',
  chart,
  ...sets(values),
]

/** What `overlays/example` says by its own files. */
const likeExample = [
  'image.repository=registry.example.org/sedge',
  'image.tag=0.1.0',
  'baseUrl=https://assets.example.org',
  'trustedProxies=10.42.0.0/16',
  'ingress.enabled=true',
  'ingress.hosts[0]=assets.example.org',
  'ingress.tlsSecretName=sedge-tls',
  String.raw`ingress.annotations.cert-manager\.io/cluster-issuer=letsencrypt`,
]

test('the chart is of the version that the package is', async () => {
  const { version } = await Bun.file(join(root, 'package.json')).json()
  expect(Bun.YAML.parse(await readDeployFile('helm/sedge/Chart.yaml'))).toMatchObject({
    version,
    appVersion: version,
  })
})

test('no setting that is secret gets into a ConfigMap', async () => {
  const schema = JSON.parse(await readDeployFile('helm/sedge/values.schema.json'))
  const refused: readonly string[] = schema.definitions.settings.propertyNames.not.enum
  const all = [...Object.values(settings), ...Object.values(keySettings)]
  const secrets = all.filter((setting) => holdsSecret(setting)).map(({ name }) => name)

  expect(secrets.length).toBeGreaterThan(15)
  expect(secrets.filter((name) => !refused.includes(name))).toEqual([])
  const known = new Set([...all.map(({ name }) => name), 'EDGE_TOKEN'])
  expect(refused.filter((name) => !known.has(name))).toEqual([])
})

if (have('the Helm chart', helm)) {
  test('Helm finds nothing to complain of', async () => {
    for (const values of ['values.yaml', 'values-cluster.yaml', 'values-edges.yaml'])
      await succeeds(['helm', 'lint', '--strict', '--values', join(chart, values), chart])
  })

  test.each([
    ['a mode that there is not', ['mode=many']],
    ['several nodes with a volume each and nothing in common', ['control.replicas=2']],
    ['edges of nothing', ['mode=edges']],
    ['a secret in a ConfigMap', ['config.DATABASE_URL=postgres://a:b@c/d']],
    ['a secret at an edge', ['edges.config.EDGE_TOKEN=cdnsk_a']],
    ['what the chart sets by itself', ['config.PORT=1']],
    ['an Ingress of no host', ['ingress.enabled=true']],
    ['a word that nobody reads', ['image.tga=1']],
    ['a size without a unit', ['control.storage.size=20']],
    ['an address with a path', ['baseUrl=https://assets.example.org/files']],
    ['an image that cannot be', ['image.digest=sha256:1']],
  ])('%s is refused', (_what, values) => {
    const { exitCode, stderr } = Bun.spawnSync(template(values), { cwd: root })
    expect(exitCode).not.toBe(0)
    expect(stderr.toString()).toContain("don't meet the specifications of the schema")
  })

  test('edges of a service elsewhere are edges alone', async () => {
    const rendered = await render(['-f', `${chart}/values-edges.yaml`])
    const kinds = rendered.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'StatefulSet')).toEqual([])
    const [container] = containersOf(rendered)
    expect(container?.args).toContain('--origin=https://assets.example.org')
    const config = rendered.find(({ kind }) => kind === 'ConfigMap') as { data?: object }
    expect(Object.keys(config.data ?? {})).toEqual([
      'METRICS_PORT',
      'METRICS_HOST',
      'TRUSTED_PROXIES',
    ])
  })

  test('what is said of one release is no business of another in the same namespace', async () => {
    const one = await render([])
    const other = await render([], 'other')
    const names = (rendered: readonly Manifest[]) =>
      rendered.map(({ kind, metadata: { name } }) => `${kind} ${name}`)
    expect(names(one).filter((name) => names(other).includes(name))).toEqual([])
    const selector = one.find(({ kind }) => kind === 'Service')?.spec?.selector
    expect(selector).toMatchObject({ 'app.kubernetes.io/instance': 'sedge' })
  })

  test('values get to where they are read', async () => {
    const rendered = await render([
      '-f',
      `${chart}/values-cluster.yaml`,
      ...sets([
        `image.digest=sha256:${'0'.repeat(64)}`,
        'secretName=keys',
        'edges.tokenSecretName=token',
        'config.LOG_LEVEL=debug',
        'edges.config.EDGE_REPLICA=true',
        'serviceMonitor.enabled=true',
        'serviceMonitor.labels.release=prometheus',
        'control.storage.className=fast',
        'nodeSelector.disk=ssd',
      ]),
    ])
    const text = JSON.stringify(rendered)
    for (const { image } of containersOf(rendered))
      expect(image).toBe(`sedge@sha256:${'0'.repeat(64)}`)
    for (const part of [
      '"secretRef":{"name":"keys"}',
      '"secretKeyRef":{"name":"keys","key":"SIGNED_URL_SECRET"}',
      '"secretKeyRef":{"name":"token","key":"EDGE_TOKEN"}',
      '"LOG_LEVEL":"debug"',
      '{"name":"EDGE_REPLICA","value":"true"}',
      '"release":"prometheus"',
      '"storageClassName":"fast"',
      '"nodeSelector":{"disk":"ssd"}',
    ])
      expect(text).toContain(part)
    const monitor = rendered.find(({ kind }) => kind === 'ServiceMonitor')
    expect(monitor?.spec?.selector).toEqual({
      matchLabels: { 'app.kubernetes.io/name': 'sedge', 'app.kubernetes.io/instance': 'sedge' },
    })
  })

  test('a setting that is changed starts the pods again', async () => {
    const sum = async (values: readonly string[]) =>
      /checksum\/settings":"([0-9a-f]{64})/u.exec(JSON.stringify(await render(sets(values))))?.[1]
    expect(await sum(['config.LOG_LEVEL=debug'])).not.toBe(await sum([]))
  })
}

if (have('the Helm chart beside the manifests', helm, kustomize))
  test.each([
    ['overlays/single', []],
    ['base', ['-f', `${chart}/values-cluster.yaml`]],
    ['overlays/example', ['-f', `${chart}/values-cluster.yaml`, ...sets(likeExample)]],
  ])('the chart says what kubernetes/%s says', async (directory, values) => {
    const built = await succeeds(['kustomize', 'build', `deploy/kubernetes/${directory}`])
    const manifests = Bun.YAML.parse(built) as readonly Manifest[]
    expect(byName(await render(values))).toEqual(byName(manifests))
  })

if (have('what Kubernetes reads of the manifests', helm, kustomize, manifestCheck))
  test('each field is one that Kubernetes knows', async () => {
    const cluster = ['-f', `${chart}/values-cluster.yaml`, ...sets(likeExample)]
    const all = [
      await succeeds(['kustomize', 'build', 'deploy/kubernetes/overlays/single']),
      await succeeds(['kustomize', 'build', 'deploy/kubernetes/overlays/example']),
      await succeeds(template([])),
      await succeeds(['helm', 'template', ...fixed, 'sedge', chart, ...cluster]),
    ].join('\n---\n')
    expect(checked(all)).toMatchObject({ exitCode: 0 })
    const wrong = checked(all.replace('minReadySeconds:', 'minReadySecond:'))
    expect(wrong.said).toContain('unknown field "spec.minReadySecond"')
    expect(wrong.exitCode).not.toBe(0)
  })

async function render(options: readonly string[], release = 'sedge'): Promise<readonly Manifest[]> {
  const rendered = await succeeds(['helm', 'template', ...fixed, release, chart, ...options])
  return Bun.YAML.parse(rendered) as readonly Manifest[]
}

const containersOf = (rendered: readonly Manifest[]): readonly Container[] =>
  rendered.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])

/** Whoever applies the manifests makes the namespace with them; Helm is told of one. */
const byName = (manifests: readonly Manifest[]): object =>
  Object.fromEntries(
    manifests
      .filter(({ kind }) => kind !== 'Namespace')
      .map((each) => [`${each.kind} ${String(comparable(each.metadata.name))}`, comparable(each)]),
  )

function checked(manifests: string): { readonly exitCode: number; readonly said: string } {
  const { exitCode, stderr } = Bun.spawnSync(['manifest-check'], { stdin: Buffer.from(manifests) })
  return { exitCode, said: stderr.toString() }
}

/** One of its texts is one that is not to be printed. */
const holdsSecret = ({ parse }: { readonly parse: (text: string) => unknown }): boolean =>
  ['sixteen-or-more-characters', 'postgres://a:b@c/d', 'smtp://a:b@c', 'a=b'].some((text) => {
    try {
      return parse(text) instanceof Secret
    } catch {
      return false
    }
  })

async function succeeds(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, said] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(`${await child.exited} ${said} ${out}`).toStartWith('0 ')
  return out
}
