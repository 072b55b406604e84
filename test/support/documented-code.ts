import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..')

/** Pages whose commands, and programs that use the client, are run in their order as they are pasted. */
export const pagesThatRun = [
  'quick-start.md',
  'storing.md',
  'files.md',
  'uploads.md',
  'delivery.md',
  'deploy.md',
  'images.md',
  'named-transforms.md',
  'images-of-files.md',
  'search.md',
  'rules.md',
  'purging.md',
  'webhooks.md',
  'insights.md',
  'access.md',
  'erasing.md',
  'git.md',
  'responsive-images.md',
  'move-files-in.md',
  'logs.md',
  'iiif.md',
  'assistant.md',
  'previews.md',
  'history.md',
  'people.md',
  'notifications.md',
  'upload-from-ci.md',
  'vision.md',
  'usage.md',
  'quotas.md',
] as const

/** What a reader has done or has before the commands of a page, as commands of a shell. */
export const doneBefore: Readonly<Record<string, string>> = {
  'embed-video.md':
    'ffmpeg -v error -y -f lavfi -i testsrc2=s=640x360:d=5 -f lavfi -i sine=d=5 -c:v libx264 -c:a aac original.mov',
  'video.md': 'npx sedge put film.mp4 acme/v1/banners/',
  'client.md':
    'export SEDGE_TOKEN=$(npx sedge token create --name programs --scope zones:write --scope storage:write --scope assets:read) SIGNED_URL_SECRET=$(npx sedge keys show SIGNED_URL_SECRET)',
  'README.md': 'export SEDGE_TOKEN=$(npx sedge token create --name readme --scope assets:read)',
}

/** Blocks that a test of their own runs, opens in a browser or compares, by page and language. */
export const runElsewhere: Readonly<Record<string, string>> = {
  'README.md sh': 'test/journeys/front-door.test.ts',
  'agents.md json': 'test/journeys/agent-configurations.test.ts',
  'agents.md sh': 'test/journeys/agent-configurations.test.ts',
  'custom-domains.md caddyfile': 'test/journeys/fronts.test.ts',
  'custom-domains.md haproxy': 'test/journeys/fronts.test.ts',
  'custom-domains.md nginx': 'test/journeys/fronts.test.ts',
  'reverse-proxy.md caddyfile': 'test/journeys/fronts.test.ts',
  'reverse-proxy.md nginx': 'test/journeys/fronts.test.ts',
  'client.md html': 'test/browser/cross-origin.test.ts',
  'uploads.md html': 'test/browser/uploads.test.ts',
  'uploads.md js': 'test/browser/uploads.test.ts',
  'frameworks.md ts': 'test/browser/starters.test.ts',
  'frameworks.md tsx': 'test/browser/starters.test.ts',
  'frameworks.md js': 'test/browser/starters.test.ts',
  'frameworks.md vue': 'test/browser/starters.test.ts',
  'frameworks.md astro': 'test/browser/starters.test.ts',
  'signed-urls.md go': 'test/journeys/snippets.test.ts',
  'signed-urls.md js': 'test/journeys/snippets.test.ts',
  'signed-urls.md python': 'test/journeys/snippets.test.ts',
  'signed-urls.md sh': 'test/journeys/snippets.test.ts',
  'webhooks.md js': 'test/journeys/snippets.test.ts',
  'webhooks.md python': 'test/journeys/snippets.test.ts',
  'command-line.md text': 'scripts/command-line-page.ts',
  's3-aws-cli.md sh': 'test/s3/clients/aws-cli.test.ts',
  's3-aws-sdk-js.md js': 'test/s3/clients/aws-sdks.test.ts',
  's3-aws-sdk-js.md sh': 'test/s3/clients/aws-sdks.test.ts',
  's3-boto3.md python': 'test/s3/clients/boto3.test.ts',
  's3-cyberduck.md xml': 'test/s3/clients/cyberduck.test.ts',
  's3-directus.md ini': 'test/s3/clients/content-systems.test.ts',
  's3-payload.md js': 'test/s3/clients/content-systems.test.ts',
  's3-strapi.md js': 'test/s3/clients/content-systems.test.ts',
  's3-wordpress.md php': 'test/s3/clients/content-systems.test.ts',
  's3-rclone.md ini': 'test/s3/clients/rclone.test.ts',
  's3-rclone.md sh': 'test/s3/clients/rclone.test.ts',
  's3-restic.md sh': 'test/s3/clients/restic.test.ts',
}

/** What no test runs, and why. It is to get shorter. */
export const notRun: Readonly<Record<string, string>> = {
  'README.md text':
    'commands that are shown in docs/command-line.md, whose text comes from the code',
  'backups.md text': 'settings, a timer and whole installations; the drill is run by a journey',
  'client.md js': 'goes on from the first program of the page, with files and ids of one’s own',
  'command-line.md sh': 'an overview; each command is tested beside its code',
  'containers.md text': 'needs Docker and a cluster; test/deploy.test.ts builds the manifests',
  'custom-domains.md sh': 'needs names in DNS; certificates are tested against an ACME server',
  'deploy.md text': 'its file is run by test/journeys/deploy-jobs.test.ts',
  'deploy.md yaml': 'jobs of GitHub and GitLab; test/journeys/deploy-jobs.test.ts runs their steps',
  'docker.md sh': 'needs Docker; tests read the Dockerfile, and start the image of a release',
  'edges.md sh': 'needs another machine; journeys start edges the same way',
  'from-bunny.md text': 'needs an account there',
  'from-cloudinary.md text': 'needs an account there',
  'from-minio.md text': 'needs a bucket elsewhere; test/s3/clients/rclone.test.ts runs the same',
  'git.md text': 'commands on the machine of the service, or with a host of others',
  'move-files-in.md text': 'needs a bucket elsewhere; test/s3/clients/rclone.test.ts runs the same',
  'operating.md sh': 'moves a whole installation; journeys run its steps',
  'operating.md text': 'needs systemd, or a service that is stopped meanwhile',
  'reverse-proxy.md sh': 'settings of the next start',
  's3.md text': 'test/s3/clients makes keys the same way for each client',
  'scaling-out.md sh': 'needs PostgreSQL and S3; journeys run with the same settings',
  'upload-from-ci.md yaml': 'a job of GitHub; test/journeys/deploy-jobs.test.ts runs what it calls',
  'uploads.md ts': 'a client of others; test/streaming and test/api speak the protocol',
}

/** What is to be read and no program: outputs, addresses, files and settings, by page and language. */
export const onlyRead: readonly string[] = [
  'agents.md text',
  'compared-parameters.md text',
  'concepts.md',
  'custom-domains.md',
  'embed-video.md html',
  'frameworks.md html',
  'from-imgproxy.md text',
  'images.md html',
  'metadata.md http',
  'metadata.md json',
  'named-transforms.md',
  'notifications.md text',
  'responsive-images.md html',
  'rules.md',
  's3-directus.md text',
  's3-payload.md text',
  's3-wordpress.md text',
  'signed-urls.md',
  'video.md',
  'vision.md json',
  'vision.md text',
  'webhooks.md json',
]

export interface FencedBlock {
  readonly page: string
  /** Empty where the fence names none. */
  readonly language: string
  readonly code: string
}

/** Each fenced block of a page of the documentation, or of the README, in order. */
export async function fencedBlocks(page: string): Promise<readonly FencedBlock[]> {
  const file = page === 'README.md' ? page : join('docs', page)
  const markdown = await Bun.file(join(root, file)).text()
  return [...markdown.matchAll(/^```(\S*)[^\n]*\n([\s\S]*?)^```$/gmu)].map(
    ([, language = '', code = '']) => ({ page, language, code }),
  )
}

/** A program that uses the typed client. */
export const usesClient = ({ language, code }: Pick<FencedBlock, 'language' | 'code'>): boolean =>
  language === 'js' && code.includes("from 'sedge'")

/** What a shell runs to do the same as the block. */
export function asCommands({ language, code }: FencedBlock, place: number): string | undefined {
  if (language === 'sh') return code
  if (!usesClient({ language, code })) return undefined
  const file = `snippet-${place}.mjs`
  return `cat > ${file} <<'END_OF_SNIPPET'\n${code}END_OF_SNIPPET\nnode ${file}`
}
