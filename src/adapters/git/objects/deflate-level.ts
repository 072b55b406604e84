/** Media types whose bytes are compressed already. */
const compressed: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif webp avif heic heif jxl mp4 m4v m4s m4a mov webm mkv mp3 aac ogg opus flac ' +
    'woff woff2 zip gz br zst xz bz2 7z pdf ts'
  ).split(' '),
)

/** 0 stores the bytes as they are, 1 is zlib's fastest. */
export const deflateLevel = (path: string): 0 | 1 =>
  compressed.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ? 0 : 1
