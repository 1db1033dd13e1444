// The version of this package, as /system reports it; a test holds it equal to package.json.
export const version = '0.1.0'
