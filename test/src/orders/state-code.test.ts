// States as shops store them, and their codes as a print provider lists them.
import t from 'tap'
import { stateCodeOf } from '../../../src/orders/provider-recipient.ts'

t.test('the code of a state comes without its country, however the shop writes it', async (t) => {
  const codes: [country: string, state: string, code: string][] = [
    ['US', 'CA', 'CA'],
    ['CA', 'BC', 'BC'],
    ['AU', 'ACT', 'ACT'],
    ['JP', 'JP01', '01'],
    ['JP', 'JP13', '13'],
    ['DE', 'DE-BY', 'BY'],
    ['CR', 'CR-SJ', 'SJ'],
    ['BR', 'SP', 'SP'],
    ['IT', 'IT', 'IT'],
    ['MX', 'MX', 'MX'],
    ['AL', 'AL-01', '01'],
    ['PY', 'PY-ASU', 'ASU'],
    ['TR', 'TR34', '34'],
    ['UG', 'UG314', '314'],
    ['RS', 'RS00', '00'],
    ['RS', 'RSKM', 'KM'],
    ['EG', 'EGALX', 'ALX'],
    ['MA', 'macas', 'CAS'],
    ['MZ', 'MZMPM', 'MPM'],
    ['CN', 'CN1', 'YN'],
    ['CN', 'CN2', 'BJ'],
    ['CN', 'CN20', 'GD'],
    ['CN', 'CN32', 'XJ'],
  ]
  for (const [country, state, code] of codes)
    t.equal(stateCodeOf(state, country), code, `${country} ${state}`)
})

t.test('what is no code of this country stays as it is', async (t) => {
  const texts: [country: string, state: string][] = [
    ['GB', 'Greater London'],
    ['FR', 'Fréjus'],
    ['FR', 'FRA'],
    ['CH', 'Chur'],
    ['AT', 'DE-BY'],
    ['DE', 'DE-'],
    ['DE', 'DE-BYERN'],
    ['CN', 'CN33'],
    ['CN', 'CN'],
    ['CN', '北京'],
    ['US', ''],
    ['', 'BY'],
  ]
  for (const [country, state] of texts) t.equal(stateCodeOf(state, country), state, `${country} ${state}`)
})
