import { operationOf } from './invoke/operations-by-id.ts'
import { type Asking, perform } from './invoke/perform.ts'

const maxLooked = 1000
const maxShown = 100
const maxTyped = 2000

/** The zones that the agent reaches, whose names begin so. */
export async function completeZone(typed: string, asking: Asking): Promise<string[]> {
  return (await namesIn('', 'Data', asking))
    .filter((name) => name.startsWith(typed))
    .slice(0, maxShown)
}

/** What is in the folder that is being typed, folders with a slash at the end. */
export async function completePath(
  typed: string,
  zone: string | undefined,
  asking: Asking,
): Promise<string[]> {
  if (zone === undefined || zone === '' || typed.length > maxTyped) return []
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  const path = `${zone}/${folder === '' ? 'v1' : folder.slice(0, -1)}`
  const prefix = folder === '' ? 'v1/' : folder
  const [folders, files] = await Promise.all([namesIn(path, 'Data', asking), filesIn(path, asking)])
  return [...folders.map((name) => `${prefix}${name}/`), ...files.map((name) => `${prefix}${name}`)]
    .filter((each) => each.startsWith(typed))
    .slice(0, maxShown)
}

async function namesIn(path: string, member: string, asking: Asking): Promise<readonly string[]> {
  const members = { path, limit: maxLooked }
  const outcome = await perform(operationOf('listFolders'), { members }, asking)
  if (outcome.isRefused) return []
  return (outcome.body[member] as readonly { readonly Name: string }[]).map(({ Name }) => Name)
}

async function filesIn(path: string, asking: Asking): Promise<readonly string[]> {
  const members = { folder: path, direct: true, per_page: 200 }
  const outcome = await perform(operationOf('listAssets'), { members }, asking)
  if (outcome.isRefused) return []
  return (
    outcome.body['Data'] as readonly { readonly Name?: string; readonly name?: string }[]
  ).flatMap((each) => each.Name ?? each.name ?? [])
}
