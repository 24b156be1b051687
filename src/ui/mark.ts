// The lightning mark: a tile that lightning has struck, two halves pushed apart along the bolt. 24 x 24.
// favicon.svg holds the same three shapes.
export const TILE =
  'M7 2h4.3L2.3 14.7h6.5L6.3 24H6a6 6 0 0 1-6-6V9a7 7 0 0 1 7-7Z' +
  'M18.4 0a5.6 5.6 0 0 1 5.6 6v9a7 7 0 0 1-7 7h-4.3l9-12.7h-6.3Z'
export const BOLT = 'M13.6 0h3.7l-3.2 10.3h5.7L10.5 24H7.6l2.5-10.3H4.2Z'

/** As favicon.svg draws it. */
export const markColours = { tile: '#4a30ee', bolt: '#ffd91f' }
