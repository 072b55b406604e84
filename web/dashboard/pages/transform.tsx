import { useEffect, useState } from 'react'

import { useOperation } from '../api/queries.ts'
import { type AssetMetadata, transformPath } from '../assets/asset.ts'
import { AssetGrid } from '../assets/views/asset-grid.tsx'
import { useAssets } from '../assets/use-assets.ts'
import { useImageBytes } from '../assets/details/use-image-bytes.ts'
import { t } from '../language/text.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { Loading } from '../parts/feedback/query-result.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { parameterNames } from '../page-parameters.ts'
import { Link, useSearch } from '../router.tsx'
import { Comparison } from '../transform/comparison.tsx'
import { useNamedTransforms } from '../transform/use-named-transforms.ts'
import { PresetField } from '../transform/preset-field.tsx'
import { FormatTable } from '../transform/format-table.tsx'
import { isSound, type Recipe, recipeOf } from '../transform/recipe.ts'
import { RecipeForm } from '../transform/recipe-form.tsx'
import { SnippetList } from '../transform/snippet-list.tsx'

/** Builds the URL of an image in another size, shape or format. */
export function Page() {
  const [search] = useSearch()
  const path = search['asset']
  return path === undefined ? <Choose /> : <Builder key={path} path={path} />
}

/** An image to begin with. */
function Choose() {
  const [search, change] = useSearch()
  const source = useAssets({ q: search['q'] })
  return (
    <div className="asset-page">
      <PageHeader title={t('Transform')} lead={t('Choose an image to build URLs from.')} />
      <TextField
        label={t('Search assets')}
        type="search"
        placeholder={t('Name or path')}
        value={search['q'] ?? ''}
        onChange={({ target }) => change({ q: target.value }, { replaces: true })}
      />
      <div className="asset-count" />
      {source.error !== null ? (
        <Failure error={source.error} onRetry={() => source.retry()} />
      ) : source.isPending ? (
        <Loading label={t('Assets are loading')} />
      ) : source.count === 0 ? (
        <EmptyState icon="images" title={t('There is no image to transform')}>
          <p className="row">
            <Link page="upload" className="button button-primary">
              {t('Upload images')}
            </Link>
          </p>
        </EmptyState>
      ) : (
        <AssetGrid source={source} onOpen={(asset) => change({ asset, q: undefined })} />
      )}
    </div>
  )
}

function Builder({ path }: { readonly path: string }) {
  const metadata = useOperation('getAssetMetadata', { path })
  if (metadata.isPending)
    return (
      <>
        <Title name={path} />
        <Loading label={t('The image is loading')} />
      </>
    )
  if (metadata.isError)
    return (
      <>
        <Title name={path} />
        <Failure error={metadata.error} onRetry={() => void metadata.refetch()} />
      </>
    )
  return <Workbench asset={metadata.data} />
}

const Title = ({ name }: { readonly name: string }) => (
  <PageHeader title={t('Transform')} lead={<code>{name}</code>}>
    <Link page="transform" className="button">
      {t('Choose another')}
    </Link>
  </PageHeader>
)

const pauseMs = 250

/** What is set, by the URL of the page: a named transform, or each parameter by itself. */
function useRecipe(zone: string) {
  const [search, change] = useSearch()
  const transforms = useNamedTransforms(zone)
  const preset = transforms.find(({ name }) => name === search['p'])
  const recipe = preset === undefined ? recipeOf(search) : recipeOf(preset.parameters)
  return {
    transforms,
    name: preset?.name,
    recipe,
    // What is changed of a named transform is another one: all of it is then said.
    changeRecipe: (changes: Recipe) =>
      change({ ...recipe, ...changes, p: undefined }, { replaces: true }),
    choose: (name: string | undefined) => change({ ...nothingSet, p: name }),
  }
}

function Workbench({ asset }: { readonly asset: AssetMetadata }) {
  const zone = asset.Path.split('/', 1)[0] ?? ''
  const { transforms, name, recipe, changeRecipe, choose } = useRecipe(zone)
  const settled = useSettled(recipe, JSON.stringify(recipe), pauseMs)
  const canBeMade = isSound(settled) && isSound(recipe)
  const made = useImageBytes(transformPath(asset.Path, namedOr(settled, name)), '', {
    isEnabled: canBeMade,
  })
  const isMade = canBeMade && !made.isError
  return (
    <>
      <Title name={asset.Path} />
      <div className="builder">
        <section className="card" aria-label={t('Parameters')}>
          <PresetField {...{ zone, transforms, recipe }} value={name} onChoose={choose} />
          <RecipeForm recipe={recipe} onChange={changeRecipe} />
        </section>
        <div className="stack">
          <Comparison asset={asset} made={made} isSound={canBeMade} />
          <SnippetList asset={asset} recipe={settled} name={name} isMade={isMade} />
          <FormatTable asset={asset} recipe={settled} />
        </div>
      </div>
    </>
  )
}

const nothingSet: Recipe = Object.fromEntries(parameterNames.map((name) => [name, undefined]))

/** What a URL says: a name alone, where it stands for all. */
const namedOr = (recipe: Recipe, name: string | undefined) =>
  name === undefined ? recipe : { t: name }

/** The value once it has stayed the same for a while: a slider passes many on its way. */
function useSettled<Value>(value: Value, key: string, ms: number): Value {
  const [settled, setSettled] = useState({ value, key })
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ value, key }), ms)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- equal keys are equal values
  }, [key, ms])
  return settled.value
}
