/** What the product calls itself, how it looks, and where to reach it and the people behind it. */
export interface Brand {
  name: string
  legalEntity: string
  supportEmail: string
  /** Where pages are, without a slash at the end: search engines and messengers ask for whole addresses. */
  appUrl: string
  /** Address of the logo that stands in place of the mark. */
  logo: string | null
  /** Address of the icon in the browser's tab, where it is not the mark as it comes. */
  icon: string | null
  /** Names the version of all pictures of the brand. */
  version: string
  /** Colours of its own, as a style sheet; empty without. */
  style: string
}

export const defaultBrand: Brand = {
  name: 'Thunder',
  legalEntity: 'Thunder',
  supportEmail: 'support@thunder.example',
  appUrl: 'http://localhost:3000',
  logo: null,
  icon: null,
  version: 'mark',
  style: '',
}

/** The id of the element in which hydrated pages carry the brand. */
export const brandElement = 'brand'

function readDocument(): Partial<Brand> {
  const text =
    typeof document === 'undefined' ? null : document.getElementById(brandElement)?.textContent
  return text ? (JSON.parse(text) as Partial<Brand>) : {}
}

/**
 * The brand of this installation. The server sets it from its configuration before it renders anything;
 * a browser finds it in its page. Read it when it is needed: at the load of a module it is not there yet.
 */
export const brand: Brand = { ...defaultBrand, ...readDocument() }

export const setBrand = (own: Brand): Brand => Object.assign(brand, own)

/** The brand as the text of a script element: nothing in it ends that element. */
export const brandText = () => JSON.stringify(brand).replace(/</g, '\\u003c')
