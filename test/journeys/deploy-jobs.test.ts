import { afterAll, beforeAll, expect, test } from 'bun:test'
import { access as mayAccess, constants, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { YAML } from 'bun'

import { codeHostToken, type FakeCodeHost, openFakeCodeHost } from '../support/fake-code-host.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const root = join(import.meta.dir, '..', '..')
const scripts = join(root, 'actions', 'deploy')
const undo = new AsyncDisposableStack()
let service: LocalService
let directory: string

beforeAll(async () => {
  directory = undo.use(await temporaryDirectory()).path
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory, 'data'),
      environment: { SEARCH_BY_NAME_ONLY: 'true' },
    }),
  )
})
afterAll(() => undo.disposeAsync())

/** A zone with a token for it alone, a directory to deploy, and a host of code. */
async function openJob() {
  const zone = `zone-${crypto.randomUUID().slice(0, 8)}`
  await worldOf(service).zone(zone)
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({
      name: 'jobs',
      zones: [zone],
      scopes: ['storage:read', 'storage:write'],
    }),
  })
  const { token } = (await response.json()) as { readonly token: string }
  const place = join(directory, zone)
  const dist = join(place, 'dist')
  await mkdir(dist, { recursive: true })
  const host = openFakeCodeHost()
  const output = join(place, 'output')
  const run = async (words: readonly string[], environment: Readonly<Record<string, string>>) => {
    const child = Bun.spawn(['bash', ...words], {
      cwd: place,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: place,
        SEDGE_URL: service.url,
        SEDGE_TOKEN: token,
        DEPLOY_DIRECTORY: 'dist',
        DEPLOY_ZONE: zone,
        DEPLOY_PREFIX: 'v1',
        COMMENT_TOKEN: codeHostToken,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, error, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { out, error, exitCode }
  }
  return {
    zone,
    dist,
    place,
    host,
    output,
    run,
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
}

type Job = Awaited<ReturnType<typeof openJob>>

const onGitHub =
  (job: Job) =>
  async (event: unknown, environment = {}) => {
    const file = join(job.place, 'event.json')
    await Bun.write(file, JSON.stringify(event))
    return await job.run([join(scripts, 'github.sh')], {
      GITHUB_EVENT_PATH: file,
      GITHUB_API_URL: job.host.url,
      GITHUB_REPOSITORY: 'them/site',
      GITHUB_OUTPUT: job.output,
      ...environment,
    })
  }

const onGitLab =
  (job: Job) =>
  async (step: string, environment = {}) =>
    await job.run([join(scripts, 'gitlab.sh'), step], {
      CI_API_V4_URL: `${job.host.url}/api/v4`,
      CI_PROJECT_ID: '7',
      CI_MERGE_REQUEST_IID: '12',
      CI_COMMIT_SHA: 'f'.repeat(40),
      ...environment,
    })

const pull = (action: string, merged = false) => ({
  action,
  pull_request: { number: 12, merged },
})

const ownComments = ({ comments }: FakeCodeHost): readonly string[] =>
  comments.map(({ body }) => body).filter((body) => !body.startsWith('Said before'))

const statusOf = async (path: string) => (await fetch(`${service.url}/${path}`)).status
const previewOf = async (zone: string, name: string) =>
  (await fetch(`${service.url}/api/core/zones/${zone}/previews/${name}`, { headers: account }))
    .status

test('a pull request is shown with the sizes of its images, and is live once it is merged', async () => {
  await using job = await openJob()
  const { zone, dist, host } = job
  const github = onGitHub(job)
  await worldOf(service).put(
    `${zone}/v1/hero.svg`,
    '<svg xmlns="http://www.w3.org/2000/svg"><!-- long --></svg>',
  )
  await Bun.write(join(dist, 'index.html'), 'one')
  await Bun.write(join(dist, 'hero.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const opened = await github(pull('opened'))
  const url = `${service.url}/@~pr-12/${zone}/v1/index.html`

  expect(opened).toMatchObject({ exitCode: 0, error: '', out: `${url}\n` })
  expect(await Bun.file(job.output).text()).toContain(`url=${url}\npreview=pr-12\n`)
  expect(await (await fetch(url)).text()).toBe('one')
  expect(await statusOf(`${zone}/v1/index.html`)).toBe(404)
  expect(ownComments(host)).toHaveLength(1)
  expect(ownComments(host)[0]).toContain(`/@~pr-12/${zone}/v1/`)
  expect(ownComments(host)[0]).toMatch(/hero\.svg.*changed \| \d+ B → \d+ B \(−\d+ %\)/u)

  await Bun.write(join(dist, 'index.html'), 'two')
  expect((await github(pull('synchronize'))).exitCode).toBe(0)
  expect(await (await fetch(url)).text()).toBe('two')
  expect(ownComments(host)).toHaveLength(1)

  await rm(dist, { recursive: true })
  expect(await github(pull('closed', true))).toMatchObject({ exitCode: 0, error: '' })
  expect(await (await fetch(`${service.url}/${zone}/v1/index.html`)).text()).toBe('two')
  expect(await previewOf(zone, 'pr-12')).toBe(404)
  expect(ownComments(host)).toEqual([expect.stringContaining('### Live\n\n1 added, 1 changed')])
})

test('the preview of a request that is closed goes, and one that is gone already is no fault', async () => {
  await using job = await openJob()
  const github = onGitHub(job)
  await Bun.write(join(job.dist, 'a.txt'), 'a')
  await Bun.write(join(job.dist, 'film.bin'), Buffer.alloc(17 * 2 ** 20, 'large'))
  expect(await github(pull('opened'))).toMatchObject({ exitCode: 0, error: '' })
  expect(await previewOf(job.zone, 'pr-12')).toBe(200)
  const film = await fetch(`${service.url}/@~pr-12/${job.zone}/v1/film.bin`)
  expect((await film.bytes()).length).toBe(17 * 2 ** 20)
  expect((await github(pull('closed'))).exitCode).toBe(0)
  expect(await previewOf(job.zone, 'pr-12')).toBe(404)
  expect((await github(pull('closed'))).exitCode).toBe(0)

  for (const name of ['a.txt', 'film.bin'])
    expect(await statusOf(`${job.zone}/v1/${name}`)).toBe(404)
  expect(ownComments(job.host)).toEqual([expect.stringContaining('is removed')])
})

test('a merged request whose preview has expired is deployed from its directory', async () => {
  await using job = await openJob()
  await Bun.write(join(job.dist, 'a.txt'), 'a')
  const merged = await onGitHub(job)(pull('closed', true))

  expect(merged.exitCode).toBe(0)
  expect(await statusOf(`${job.zone}/v1/a.txt`)).toBe(200)
})

test('what was changed on both sides is not made live, and the request says what it is', async () => {
  await using job = await openJob()
  const { zone, dist, host } = job
  const github = onGitHub(job)
  await worldOf(service).put(`${zone}/v1/a.txt`, 'before')
  await Bun.write(join(dist, 'a.txt'), 'ours')
  await github(pull('opened'))
  await worldOf(service).put(`${zone}/v1/a.txt`, 'theirs')
  const merged = await github(pull('closed', true))

  expect(merged.exitCode).toBe(6)
  expect(merged.error).toContain('v1/a.txt')
  expect(await (await fetch(`${service.url}/${zone}/v1/a.txt`)).text()).toBe('theirs')
  expect(ownComments(host)).toEqual([expect.stringContaining('v1/a.txt`')])
  expect(await previewOf(zone, 'pr-12')).toBe(200)
})

test('a request from a fork has no token, and nothing is done; a push makes the directory live', async () => {
  await using job = await openJob()
  const github = onGitHub(job)
  await Bun.write(join(job.dist, 'a.txt'), 'a')
  expect(await github(pull('opened'), { SEDGE_TOKEN: '' })).toMatchObject({
    exitCode: 0,
    error: '',
  })
  expect(await previewOf(job.zone, 'pr-12')).toBe(404)
  const pushed = await github({ ref: 'refs/heads/main' })

  expect(pushed).toMatchObject({ exitCode: 0, error: '' })
  expect(await statusOf(`${job.zone}/v1/a.txt`)).toBe(200)
  expect(job.host.asked).toEqual([])
})

test('a deployment that fails fails its job, and one that cannot be told of does not', async () => {
  await using job = await openJob()
  const github = onGitHub(job)
  expect((await github(pull('opened'))).exitCode).toBe(2)
  await Bun.write(join(job.dist, 'a.txt'), 'a')
  expect((await github(pull('opened'), { DEPLOY_ZONE: 'nowhere' })).exitCode).toBe(4)
  const untold = await github(pull('opened'), { COMMENT_TOKEN: 'wrong' })

  expect(untold.exitCode).toBe(0)
  expect(untold.error).toContain('401')
  expect(ownComments(job.host)).toEqual([])
})

test('GitLab: a merge request is shown, made live from the branch, and one that is closed is taken away', async () => {
  await using job = await openJob()
  const { zone, dist, host } = job
  const gitlab = onGitLab(job)
  await Bun.write(join(dist, 'a.txt'), 'a')
  expect(await gitlab('preview')).toMatchObject({ exitCode: 0, error: '' })
  expect(await Bun.file(join(job.place, 'deploy.env')).text()).toBe(
    `SEDGE_PREVIEW_URL=${service.url}/@~pr-12/${zone}/v1/\n`,
  )
  expect((await gitlab('preview')).exitCode).toBe(0)
  expect(ownComments(host)).toHaveLength(1)
  host.mergeRequest.state = 'merged'
  expect((await gitlab('stop')).exitCode).toBe(0)
  expect(await previewOf(zone, 'pr-12')).toBe(200)
  expect(await gitlab('live')).toMatchObject({ exitCode: 0, error: '' })
  expect(await statusOf(`${zone}/v1/a.txt`)).toBe(200)
  expect(await previewOf(zone, 'pr-12')).toBe(404)

  await gitlab('preview')
  host.mergeRequest.state = 'closed'
  expect((await gitlab('stop')).exitCode).toBe(0)
  expect(await previewOf(zone, 'pr-12')).toBe(404)
  expect((await gitlab('stop', { COMMENT_TOKEN: '' })).exitCode).toBe(0)
  expect((await gitlab('other')).exitCode).toBe(2)
})

test('GitLab: without a token the message of a merge says which request it was', async () => {
  await using job = await openJob()
  await Bun.write(join(job.dist, 'a.txt'), 'a')
  const gitlab = onGitLab(job)
  await gitlab('preview', { COMMENT_TOKEN: '' })
  const CI_COMMIT_MESSAGE = "Merge branch 'x' into 'main'\n\nA\n\nSee merge request them/site!12\n"
  expect((await gitlab('live', { COMMENT_TOKEN: '', CI_COMMIT_MESSAGE })).exitCode).toBe(0)
  expect(await previewOf(job.zone, 'pr-12')).toBe(404)
  await Bun.write(join(job.dist, 'b.txt'), 'b')
  expect((await gitlab('live', { COMMENT_TOKEN: '', CI_COMMIT_MESSAGE: 'A push' })).exitCode).toBe(
    0,
  )

  expect(await statusOf(`${job.zone}/v1/a.txt`)).toBe(200)
  expect(await statusOf(`${job.zone}/v1/b.txt`)).toBe(200)
  expect(ownComments(job.host)).toEqual([])
})

test('the action uses no other, and every input that it reads is one that it has', async () => {
  const text = await Bun.file(join(scripts, 'action.yml')).text()
  const action = YAML.parse(text) as {
    readonly inputs: Readonly<Record<string, unknown>>
    readonly outputs: Readonly<Record<string, { readonly value: string }>>
    readonly runs: {
      readonly using: string
      readonly steps: readonly Readonly<Record<string, unknown>>[]
    }
  }
  const read = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/gu)].map(([, name]) => name ?? '')

  expect(action.runs.using).toBe('composite')
  expect(action.runs.steps.every(({ uses, shell }) => uses === undefined && shell === 'bash')).toBe(
    true,
  )
  expect(read.toSorted()).toEqual(Object.keys(action.inputs).toSorted())
  for (const step of action.runs.steps) {
    const [, name = ''] = /GITHUB_ACTION_PATH\/([\w.]+)/u.exec(String(step['run'])) ?? []
    await mayAccess(join(scripts, name), constants.X_OK)
    // What somebody writes in an input is a value, never a part of the script.
    expect(String(step['run'])).not.toContain('${{')
  }
})

test('the component of GitLab reads the inputs that it has, and runs the steps that there are', async () => {
  const text = await Bun.file(join(root, 'templates', 'deploy', 'template.yml')).text()
  const [head = '', body = ''] = text.split('\n---\n')
  const { spec } = YAML.parse(head) as {
    readonly spec: { readonly inputs: Readonly<Record<string, unknown>> }
  }
  const read = new Set(
    [...body.matchAll(/\$\[\[ inputs\.(\w+) \]\]/gu)].map(([, name]) => name ?? ''),
  )
  const jobs = YAML.parse(body) as Readonly<Record<string, { readonly script?: readonly string[] }>>
  const ran = Object.values(jobs).flatMap(({ script = [] }) => script)

  expect([...read].toSorted()).toEqual(Object.keys(spec.inputs).toSorted())
  expect(ran.map((line) => /actions\/deploy\/gitlab\.sh" (\w+)$/u.exec(line)?.[1])).toEqual([
    'preview',
    'stop',
    'live',
  ])
})
