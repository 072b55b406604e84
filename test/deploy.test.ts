import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { operatorCommands } from '../src/cli/commands.ts'
import { readEdgeSettings } from '../src/cli/operator/edge-settings.ts'
import { keySettings, settings } from '../src/config/config.ts'
import { allOperations } from '../src/planes/operations.ts'
import {
  type Compose,
  type Container,
  deployFiles,
  type Kustomization,
  type Manifest,
  namesIn,
  readDeployFile,
  readYaml,
} from './support/deploy-files.ts'
import { have, kustomize, promtool } from './support/needs.ts'

const root = join(import.meta.dir, '..')
const dockerfile = await readDeployFile('Dockerfile')
const manifestFiles = deployFiles('kubernetes/**/*.yaml').filter(
  (path) => !path.endsWith('kustomization.yaml'),
)
const manifests = (await Promise.all(manifestFiles.map(readYaml<Manifest>))).flat()
const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
const kustomizationFiles = deployFiles('kubernetes/**/kustomization.yaml')
const kustomizations = (await Promise.all(kustomizationFiles.map(readYaml<Kustomization>))).flat()
const [compose] = await readYaml<Compose>('compose.yaml')
const literals = kustomizations
  .flatMap(({ configMapGenerator = [] }) => configMapGenerator)
  .flatMap((each) => each.literals)

/** Settings, what an edge and Node read, and what a pod is told of itself. */
const known = new Set([
  ...[...Object.values(settings), ...Object.values(keySettings)].map(({ name }) => name),
  'EDGE_TOKEN',
  'NODE_ENV',
  'POD_NAME',
  'POD_NAMESPACE',
])

test('every variable that is set somewhere is a setting', async () => {
  const ours = Object.values(compose?.services ?? {}).filter(({ build }) => build !== undefined)
  const unit = (await readDeployFile('sedge.service')).replaceAll(/^Environment=/gmu, '')
  const named = [
    ...containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
    ...namesIn(literals.join('\n')),
    ...namesIn(await readDeployFile('kubernetes/secret.env.example')),
    ...ours.flatMap(({ environment = {} }) => Object.keys(environment)),
    ...[...dockerfile.matchAll(/\b([A-Z_]+)=/gu)].map(([, name]) => name ?? ''),
    ...namesIn(unit).filter((name) => name === 'DATA_DIR'),
  ]

  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('the secret for several control nodes has every key: none of them may make its own', async () => {
  const named = namesIn(await readDeployFile('kubernetes/secret.env.example'))

  for (const { name } of Object.values(keySettings)) expect(named).toContain(name)
})

test('what compose asks of its file of settings is there', async () => {
  const asked = [...(await readDeployFile('compose.yaml')).matchAll(/\$\{([A-Z0-9_]+)/gu)]
  const named = namesIn(await readDeployFile('compose.env.example'))

  expect(new Set(asked.map(([, name]) => name ?? ''))).toEqual(new Set(named))
})

test('programs and commands that are started exist', async () => {
  expect(containers).toHaveLength(2)
  const [, entry = '[]'] = /^ENTRYPOINT (.*)$/mu.exec(dockerfile) ?? []
  const program = (JSON.parse(entry) as readonly string[]).slice(2)
  for (const path of program) expect(existsSync(join(root, path))).toBe(true)
  const [, command = ''] = /exec (.*) "\$@"/u.exec(dockerfile) ?? []
  expect(command.split(' ')).toEqual(program.map((path) => `/app/${path}`))
  expect(await readDeployFile('sedge.service')).toContain(`/opt/sedge/${program.join(' ')} serve`)

  const commands = operatorCommands.map(({ name }) => name)
  for (const { args, image } of containers) {
    expect(image).toBe('sedge')
    expect(commands).toContain(args[0] ?? '')
  }
})

test('what an edge is started with is understood, and its origin is a Service', () => {
  const edge = containers.find(({ args }) => args[0] === 'edge')
  const words = (edge?.args ?? [])
    .slice(1)
    .map((word) => word.replace('$(POD_NAME)', 'sedge-edge-1'))
  const { origin, port, name } = readEdgeSettings(words)

  expect({ port, name }).toEqual({ port: portOf(edge, 'http'), name: 'sedge-edge-1' })
  expect(namesOf('Service')).toContain(origin.hostname)
})

test('ports are those that are listened on', () => {
  const control = containers.find(({ args }) => args[0] === 'serve')
  const http = portOf(control, 'http')
  const address = control?.env?.find(({ name }) => name === 'CLUSTER_ADDRESS')?.value

  expect(address).toEndWith(`:${http}`)
  expect(literals).toContain(`PORT=${http}`)
  expect(literals).toContain(`METRICS_PORT=${portOf(control, 'metrics')}`)
  expect(dockerfile).toContain(`EXPOSE ${http}`)
})

test('Services lead to ports that have a name', () => {
  const names = containers.flatMap(({ ports }) => ports.map(({ name }) => name))
  const services = manifests.filter(({ kind }) => kind === 'Service')
  const targets = services.flatMap(({ spec }) => spec?.ports ?? [])

  expect(targets).toHaveLength(5)
  for (const { targetPort } of targets) expect(names).toContain(targetPort)
})

test('what is asked whether all is well are addresses that there are', () => {
  const open = allOperations.filter(({ access }) => access === 'public')
  const paths = open.map(({ path }) => path)
  const [, asked = ''] = /\$\{process\.env\.PORT\}([^`]+)/u.exec(dockerfile) ?? []
  expect(paths).toContain(asked)

  for (const container of containers)
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
      const { path, port } = container[probe].httpGet
      expect(portOf(container, port)).toBeGreaterThan(0)
      // That `/live` is answered there is in the journey of those who watch a service.
      expect(port === 'metrics' ? ['/live'] : paths).toContain(path)
    }
})

if (have('the build of deploy/kubernetes', kustomize))
  for (const [directory, kinds] of [
    ['base', ['Deployment', 'HorizontalPodAutoscaler', 'StatefulSet']],
    ['overlays/example', ['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'StatefulSet']],
    ['overlays/single', ['StatefulSet']],
  ] as const)
    test(`kubernetes/${directory} builds`, async () => {
      const built = await run(['kustomize', 'build', join('deploy/kubernetes', directory)])
      const found = (Bun.YAML.parse(built) as readonly Manifest[]).map(({ kind }) => kind)

      expect(new Set(found.filter((kind) => !everywhere.has(kind)))).toEqual(new Set(kinds))
    })

const everywhere = new Set(['Namespace', 'ConfigMap', 'Service', 'PodDisruptionBudget'])

if (have('the rules for Prometheus', promtool))
  test('Prometheus takes its settings, and the alerts sound when they should', async () => {
    await run(['promtool', 'check', 'config', 'deploy/prometheus/prometheus.yml'])
    await run(['promtool', 'test', 'rules', 'deploy/prometheus/sedge.rules.test.yml'])
  })

const portOf = (container: Container | undefined, name: string): number =>
  container?.ports.find((port) => port.name === name)?.containerPort ?? 0

const namesOf = (kind: string): readonly string[] =>
  manifests.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name)

async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, said] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(`${await child.exited} ${said}`).toStartWith('0 ')
  return out
}
