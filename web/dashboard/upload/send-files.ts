import type { FoundFile } from './collect-files.ts'
import { unfinished, uploads } from './queue/uploads.ts'
import { keepTarget, pathIn, type UploadTarget } from './upload-target.ts'

/** Sends files to a folder, which is remembered. What was begun with the same file goes on; the rest begins. */
export async function sendFiles(files: readonly FoundFile[], target: UploadTarget): Promise<void> {
  keepTarget(target)
  const pathOf = ({ relativePath }: FoundFile) => pathIn(target, relativePath)
  const others = await unfinished.take(files, pathOf)
  uploads.add(others.map((found) => ({ ...found, path: pathOf(found) })))
}
