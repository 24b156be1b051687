/** Nothing that anybody could see, zero-width characters neither. */
export const isBlank = (text: string) => !/[^\s\p{Default_Ignorable_Code_Point}]/u.test(text)
