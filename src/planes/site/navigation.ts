interface Section {
  readonly title: string
  /** Names of files in `docs/`, without `.md`. */
  readonly pages: readonly string[]
}

const sections: readonly Section[] = [
  { title: 'Begin', pages: ['quick-start', 'concepts', 'dashboard', 'command-line', 'client'] },
  {
    title: 'How do I…',
    pages: [
      'how-to',
      'docker',
      'reverse-proxy',
      'custom-domains',
      'backups',
      'rotate-keys',
      'move-files-in',
      'upload-from-ci',
      'responsive-images',
      'frameworks',
      'embed-video',
      'signed-urls',
      'erasing',
    ],
  },
  {
    title: 'Use',
    pages: [
      'storing',
      'files',
      'metadata',
      'vision',
      'uploads',
      'delivery',
      'history',
      'deploy',
      'images',
      'iiif',
      'named-transforms',
      'images-of-files',
      'video',
      'search',
      'assistant',
      'agents',
      'rules',
      'purging',
      'previews',
      'webhooks',
      'notifications',
      'insights',
      'usage',
      'quotas',
      'logs',
      'access',
      'people',
    ],
  },
  {
    title: 'S3',
    pages: [
      's3',
      's3-aws-cli',
      's3-aws-sdk-js',
      's3-boto3',
      's3-rclone',
      's3-restic',
      's3-cyberduck',
      's3-directus',
      's3-payload',
      's3-strapi',
      's3-wordpress',
    ],
  },
  {
    title: 'Run',
    pages: ['operating', 'containers', 'git', 'scaling-out', 'edges', 'threat-model'],
  },
  {
    title: 'Come from elsewhere',
    pages: ['from-cloudinary', 'from-imgproxy', 'from-minio', 'from-bunny'],
  },
  {
    title: 'Look up',
    pages: [
      'configuration',
      'errors',
      'scopes',
      'roles',
      'transforms',
      'compared-parameters',
      'client-methods',
    ],
  },
]

/** The sections with the pages that are there; those that no section names make one of their own. */
export function navigationOf(names: readonly string[]): readonly Section[] {
  const named = new Set(sections.flatMap(({ pages }) => pages))
  const others = { title: 'More', pages: names.filter((name) => !named.has(name)).toSorted() }
  return [...sections, others]
    .map(({ title, pages }) => ({ title, pages: pages.filter((page) => names.includes(page)) }))
    .filter(({ pages }) => pages.length > 0)
}

const currentNames: Readonly<Record<string, string>> = {
  films: 'video',
  finding: 'search',
  pictures: 'images',
}

/** What a page is called today that links elsewhere still name as it was. */
export const currentNameOf = (name: string): string | undefined =>
  Object.hasOwn(currentNames, name) ? currentNames[name] : undefined
