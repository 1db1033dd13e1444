// The version of this package, as /system reports it; a test holds it equal to package.json.
export const version = '1.0.0-rc.1'
