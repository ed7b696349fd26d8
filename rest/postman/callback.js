// Signs the report as the gateway does, with the server's --sms-secret in the variable smsSecret.
const time = Math.floor(Date.now() / 1000);
const signature = require('crypto-js').HmacSHA256(`${time}.${pm.request.body.raw}`, pm.variables.get('smsSecret') ?? '').toString();
pm.request.headers.add({key: 'X-Signature', value: `t=${time},v1=${signature}`});
