import { brand } from '../brand.ts'

/** The head of a page of the site: its title with the product's name, and its description. */
export const pageMeta = (title: string, description: string) => [
  { title: `${title} · ${brand.name}` },
  { name: 'description', content: description },
]
