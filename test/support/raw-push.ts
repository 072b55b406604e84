import { packetLine } from './git-client.ts'
import { access } from './service-process.ts'

interface RawPush {
  readonly url: string
  readonly from: string
  readonly to: string
  readonly pack: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

const pushType = 'application/x-git-receive-pack-request'

/** Sends what stands before a pack, and a pack, as no git client would make them. */
export const sendPush = (
  url: string,
  body: BodyInit,
  headers: Readonly<Record<string, string>> = access,
): Promise<Response> =>
  fetch(`${url}/git/git-receive-pack`, {
    method: 'POST',
    headers: { 'Content-Type': pushType, ...headers },
    body,
  })

/** Moves `main` with a pack of whatever objects; answers the report, without bands. */
export async function pushRaw({ url, from, to, pack, headers }: RawPush): Promise<string> {
  const command = packetLine(`${from} ${to} refs/heads/main\0report-status`)
  const body = Buffer.concat([Buffer.from(`${command}0000`), pack])
  return await (await sendPush(url, body, headers)).text()
}

/** A pack of exactly these objects of a repository. */
export async function packOf(directory: string, ids: readonly string[]): Promise<Uint8Array> {
  const child = Bun.spawn(['git', 'pack-objects', '--stdout', '--quiet'], {
    cwd: directory,
    stdin: new TextEncoder().encode(ids.map((id) => `${id}\n`).join('')),
    stdout: 'pipe',
    stderr: 'ignore',
  })
  return await new Response(child.stdout).bytes()
}
