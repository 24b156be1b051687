/** The passwords that are guessed first, in lower case, at least as long as a password must be. */
export const commonPasswords = new Set(
  (
    '123456 123456789 12345678 1234567 1234567890 12345678910 123123 123321 123456a 123456q 1234qwer ' +
    '1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 111111 11111111 112233 121212 123654 131313 147258369 159753 ' +
    '222222 555555 654321 666666 696969 777777 7777777 888888 88888888 987654321 987654 999999 000000 ' +
    'aa123456 aa12345678 abc123 abcd1234 abcdef access admin1 admin123 administrator adobe123 ' +
    'alexander amanda andrea andrew anthony asdfgh asdfghjkl asdf1234 ashley azerty bailey ' +
    'baseball basketball batman buster changeme charlie cheese chocolate computer corvette ' +
    'daniel default dragon fktrcfylh flower football freedom gfhjkm ginger google guest123 ' +
    'hannah harley hello1 hello123 hottie hunter hunter2 iloveyou iloveyou1 internet jennifer ' +
    'jessica jordan jordan23 joshua killer letmein liverpool login123 london loveme lovely ' +
    'maggie martin master matrix matthew michael michelle monkey mustang naruto nicole ' +
    'ninja1 passw0rd password password1 password12 password123 password! p@ssw0rd p@ssword pepper ' +
    'pokemon princess qazwsx qwerty qwerty1 qwerty12 qwerty123 qwertyuiop q1w2e3r4 robert samsung ' +
    'secret shadow soccer sophie starwars summer sunshine superman test123 testtest thomas ' +
    'thunder thunder1 tigger trustno1 welcome welcome1 whatever zaq12wsx zxcvbn zxcvbnm'
  ).split(' '),
)
