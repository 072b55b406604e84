const pattern = /^(?<upload>[\w-]{1,36})-part-(?<number>\d{1,5})-[\da-f]{8}$/u

/** Under which id the bytes of a part are staged: those of each attempt under another one. */
export const partBytesId = (uploadId: string, number: number, random: string): string =>
  `${uploadId}-part-${number}-${random.replaceAll('-', '').slice(-8)}`

interface PartOfUpload {
  readonly uploadId: string
  readonly number: number
}

/** Which part an id of staged bytes is of; `undefined` where it is an upload's own. */
export function partOfBytes(bytesId: string): PartOfUpload | undefined {
  const { upload, number } = pattern.exec(bytesId)?.groups ?? {}
  return upload === undefined ? undefined : { uploadId: upload, number: Number(number) }
}
