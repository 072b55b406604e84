import { keySettings, settings } from '../src/config/config.ts'
import { type Role, roleMeanings, roles, roleScopes } from '../src/domain/access/people/roles.ts'
import { type Scope, scopeMeanings } from '../src/domain/access/tokens/scopes.ts'
import { errorCodes } from '../src/domain/errors.ts'
import { allTransformParameters } from '../src/domain/media/recipe/transform-parameters.ts'
import { errorTable } from '../src/http/response/error-table.ts'
import { openApiDocument } from '../src/http/openapi/openapi.ts'
import type { Operation } from '../src/http/operation.ts'
import { allOperations, planeDescriptions } from '../src/planes/operations.ts'
import { webhookDescriptions } from '../src/planes/webhooks/event-schemas.ts'
import { commandLinePage } from './command-line-page.ts'
import {
  bundledClient,
  clientDeclarations,
  clientOperations,
  clientPage,
  frameworkModules,
} from './client-files.ts'
import { bundledDeploy } from './deploy-files.ts'
import { knowledgeBase } from './knowledge/knowledge-base.ts'
import { withImportTable } from './import-rules.ts'
import { generatedNote, table } from './markdown.ts'
import { transformFormParameters } from './transform-form.ts'
import { withWords } from './words-list.ts'
import { worldMap } from './world-map.ts'

/**
 * Writes the documents that the code itself says everything of. With `--check` it writes nothing and
 * fails where one of them is not what the code says now.
 */
const documents: Readonly<Record<string, () => string | Promise<string>>> = {
  'ARCHITECTURE.md': async () =>
    withWords(withImportTable(await Bun.file(new URL('ARCHITECTURE.md', root)).text())),
  'docs/openapi.json': () => JSON.stringify(describeInterface(), undefined, 2),
  'docs/errors.md': errors,
  'web/dashboard/insights/world-map.json': worldMap,
  'docs/configuration.md': configuration,
  'docs/scopes.md': scopes,
  'docs/roles.md': roleTable,
  'docs/transforms.md': transforms,
  'src/client/transform-parameters.ts': transformFormParameters,
  'docs/command-line.md': commandLinePage,
  'docs/client-methods.md': clientPage,
  // The bundle is made from the file before it.
  'src/client/operations.ts': clientOperations,
  'client/sedge.js': bundledClient,
  'client/sedge.d.ts': clientDeclarations,
  ...frameworkModules,
  'actions/deploy/sedge.mjs': bundledDeploy,
}

const describeInterface = () =>
  openApiDocument({
    operations: allOperations,
    webhooks: webhookDescriptions,
    planes: planeDescriptions,
  })

function errors(): string {
  return [
    '# Errors',
    generatedNote,
    'Every refusal has a code. It is `error.code` in the standard envelope and `code` in the flat one; the message beside it names what is wrong and what would be right.',
    table(
      ['Code', 'Status', 'Meaning'],
      errorCodes.map((code) => {
        const { status, meaning } = errorTable[code]
        return [`\`${code}\``, String(status), meaning]
      }),
    ),
  ].join('\n\n')
}

function scopes(): string {
  const operations = allOperations
  const openedBy = (scope: Scope) =>
    operations
      .filter(({ access }) => isOpenedBy(access, scope))
      .map(({ method, path }) => `\`${method.toUpperCase()} ${path}\``)
  return [
    '# Scopes',
    generatedNote,
    'What a [token](access.md#tokens) may be for. A scope that writes does not bring the one that reads. A token for certain zones reaches nothing of others, in listings and reports too.',
    table(
      ['Scope', 'Meaning', 'Opens'],
      Object.entries(scopeMeanings).map(([scope, meaning]) => [
        `\`${scope}\``,
        meaning,
        openedBy(scope as Scope).join(', '),
      ]),
    ),
  ].join('\n\n')
}

function isOpenedBy(access: Operation['access'], scope: Scope): boolean {
  if (access === 'public') return false
  const { orScopes = [], previewScope, ofPreviewScope } = access
  return [access.scope, ...orScopes, previewScope?.name, ofPreviewScope].includes(scope)
}

/** Which scopes each role has. */
function roleTable(): string {
  const has = (role: Role, scope: string) => roleScopes[role].some((each) => each === scope)
  return [
    '# Roles',
    generatedNote,
    'What [people](people.md) may do. Each role is a set of [scopes](scopes.md), for every zone or for some; of several roles in one zone all count. `people:read` and `people:write` are for people alone: no token has them.',
    table(
      ['Role', 'Meaning'],
      roles.map((role) => [`\`${role}\``, roleMeanings[role]]),
    ),
    table(
      ['Scope', ...roles.map((role) => `\`${role}\``)],
      roleScopes.admin.map((scope) => [
        `\`${scope}\``,
        ...roles.map((role) => (has(role, scope) ? 'yes' : '')),
      ]),
    ),
  ].join('\n\n')
}

function configuration(): string {
  return [
    '# Configuration',
    generatedNote,
    'Every setting is an environment variable. An empty one counts as not set. Whatever is wrong is told at once at the start, all of it. A relative path counts from the directory that the process is started in, which for `npm start` is that of `package.json`.',
    table(
      ['Setting', 'Default', 'Meaning'],
      Object.values(settings).map((setting) => [
        `\`${setting.name}\``,
        setting.default === '' ? 'not set' : `\`${setting.default}\``,
        setting.description,
      ]),
    ),
    '## Secrets',
    'Those that are not set are generated at the first start and kept in `keys.json` in the data directory, which only its owner can read; `sedge keys show NAME` prints one. A first start that is not at a terminal prints them once. A set one always counts and is never written down.',
    'Each secret but the password may have a former value beside it that is accepted as well, while whoever uses it changes over: `NAME_PREVIOUS`, which `sedge keys rotate NAME` makes and `sedge keys retire NAME` takes away. `DASHBOARD_PASSWORD` may be an Argon2id hash.',
    table(
      ['Setting', 'Meaning'],
      Object.values(keySettings).map(({ name, description }) => [`\`${name}\``, description]),
    ),
  ].join('\n\n')
}

function transforms(): string {
  return [
    '# Transforms',
    generatedNote,
    '`GET /api/transform?url=<asset path>` answers with the image as these parameters ask. None is required; each may be given once; in another order, or with defaults spelled out, they are one variant. What is out of range is refused with 400, which names the parameter and its range; what is not listed is ignored. In `/api/signed` the same parameters begin with `t.` and are part of what is signed.',
    table(
      ['parameter', 'range', 'default', 'meaning'],
      allTransformParameters.map(({ name, range, meaning, ...rest }) => [
        `\`${name}\``,
        range,
        rest.default,
        meaning,
      ]),
    ),
  ].join('\n\n')
}

/** As the formatter wants it, so that formatting and generating never disagree. */
async function formatted(path: string, text: string): Promise<string> {
  const command = [process.execPath, 'fmt', '--no-script', `--stdin-filepath=${path}`]
  const formatter = Bun.spawn(command, { stdin: new Blob([`${text}\n`]), stderr: 'inherit' })
  const output = await new Response(formatter.stdout).text()
  if ((await formatter.exited) !== 0) throw new Error(`${path} cannot be formatted`)
  return output
}

const root = new URL('../', import.meta.url)
const isCheck = process.argv.includes('--check')

async function keep(path: string, wanted: string): Promise<void> {
  const file = Bun.file(new URL(path, root))
  const found = (await file.exists()) ? await file.text() : undefined
  if (found === wanted) return
  if (isCheck) {
    console.error(`${path} is not what it is made from says; run: npm run generate`)
    process.exitCode = 1
  } else {
    await Bun.write(file, wanted)
    console.log(`wrote ${path}`)
  }
}

/** Everything for readers; those pages that are made here as they are to be. */
async function readPages(made: Readonly<Record<string, string>>) {
  const names = ['README.md', ...new Bun.Glob('docs/**/*.md').scanSync(root.pathname)].toSorted()
  const entries = names.map(async (name) => {
    const text = made[name] ?? (await Bun.file(new URL(name, root)).text())
    return [name, text] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const made: Record<string, string> = {}
for (const [path, render] of Object.entries(documents)) {
  const wanted = await formatted(path, await render())
  made[path] = wanted
  await keep(path, wanted)
}
await keep(
  'docs/knowledge.jsonl',
  knowledgeBase({ pages: await readPages(made), description: describeInterface() }),
)
