/**
 * Writes a comment on a pull or merge request, or changes the one it wrote before: each begins with a
 * mark that nobody sees. `node comment.mjs github|gitlab <number> <file>`
 */
import { readFile } from 'node:fs/promises'

const [, , host, number, file] = process.argv
const { env } = process
const mark = `<!-- sedge-deploy ${env.DEPLOY_ZONE}${env.DEPLOY_PREFIX === undefined ? '' : ` ${env.DEPLOY_PREFIX}`} -->`
const pageSize = 100
const mostPages = 20
const timeoutMs = 60_000

const hosts = {
  github: () => {
    const issues = `${env.GITHUB_API_URL ?? 'https://api.github.com'}/repos/${env.GITHUB_REPOSITORY}/issues`
    return {
      headers: {
        Authorization: `Bearer ${env.COMMENT_TOKEN}`,
        Accept: 'application/vnd.github+json',
      },
      comments: `${issues}/${number}/comments`,
      change: (id) => ['PATCH', `${issues}/comments/${id}`],
    }
  },
  gitlab: () => {
    const notes = `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}/merge_requests/${number}/notes`
    return {
      headers: { 'PRIVATE-TOKEN': env.COMMENT_TOKEN },
      comments: notes,
      change: (id) => ['PUT', `${notes}/${id}`],
    }
  },
}

if (!Object.hasOwn(hosts, host ?? '') || !/^\d+$/u.test(number ?? '') || file === undefined)
  throw new Error('node comment.mjs github|gitlab <number> <file>')
const { headers, comments, change } = hosts[host]()

async function ask(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return await response.json()
}

async function findOwn() {
  for (let page = 1; page <= mostPages; page += 1) {
    const some = await ask('GET', `${comments}?per_page=${pageSize}&page=${page}`)
    const own = some.find(({ body }) => body?.startsWith(mark))
    if (own !== undefined || some.length < pageSize) return own
  }
  return undefined
}

const body = `${mark}\n${await readFile(file, 'utf8')}`
const own = await findOwn()
const [method, url] = own === undefined ? ['POST', comments] : change(own.id)
await ask(method, url, { body })
