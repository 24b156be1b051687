/** The header in which the server itself puts the visitor's address; what a visitor sends in it is dropped. */
export const addressHeader = 'x-thunder-address'
