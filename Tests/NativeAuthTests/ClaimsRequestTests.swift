// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Testing

/// Claims requests (OpenID Connect Core 1.0, section 5.5).
struct ClaimsRequestTests {
    @Test func membersAreWritten() {
        let request = ClaimsRequest(
            idToken: [
                "nickname": .voluntary, "email": .essential,
                "acr": .init(essential: false, values: ["urn:2", "urn:1"]),
            ],
            accessToken: [
                "acrs": .init(essential: true, value: "c4"), "level": .init(value: 3), "new": .init(value: true),
            ])
        #expect(
            request.json
                == #"{"access_token":{"acrs":{"essential":true,"value":"c4"},"level":{"value":3},"new":{"value":true}},"#
                + #""id_token":{"acr":{"essential":false,"values":["urn:2","urn:1"]},"email":{"essential":true},"#
                + #""nickname":null}}"#)
        #expect(!request.isEmpty)
        #expect(ClaimsRequest(idToken: ["email": .voluntary]).json == #"{"id_token":{"email":null}}"#)
        #expect(ClaimsRequest().json == "{}")
        #expect(ClaimsRequest().isEmpty)
    }

    /// What another one wrote is sent as it is.
    @Test(arguments: [
        #"{"access_token":{"acrs":{"essential":true,"value":"c4"}}}"#, #"{ "id_token" : {"email":null} }"#,
        #"{"userinfo":{"picture":null},"id_token":{"auth_time":{"essential":true}}}"#,
        #"{"id_token":{"sub":{"value":"248289761001"}},"not_of_the_standard":[1]}"#,
        #"{"id_token":{"x":{"value":{"deep":[1,2.5,null]}},"y":{"values":[]}}}"#,
        #"{"id_token":null,"access_token":{"a":{}}}"#,
    ])
    func textIsKept(_ text: String) throws {
        let request = try ClaimsRequest(json: text)
        #expect(request.json == text)
        #expect(!request.isEmpty)
    }

    @Test(arguments: ["{}", #"{"id_token":{}}"#, #"{"id_token":null,"access_token":{}}"#, #"{"other":1}"#])
    func nothingIsAskedFor(_ text: String) throws {
        #expect(try ClaimsRequest(json: text).isEmpty)
    }

    @Test(arguments: [
        "", " ", "null", "5", "[]", #""id_token""#, "{", #"{"id_token":}"#, #"{"id_token":{}}{}"#, "{'id_token':{}}",
        #"{"id_token":{"a":null,"a":null}}"#,
    ])
    func textIsNoObject(_ text: String) {
        #expect(throws: ClaimsRequest.Invalid.notAnObject) { try ClaimsRequest(json: text) }
    }

    @Test(arguments: [
        (#"{"id_token":[]}"#, "id_token"), (#"{"access_token":"acrs"}"#, "access_token"),
        (#"{"userinfo":1}"#, "userinfo"),
        (#"{"id_token":{"email":true}}"#, "id_token.email"),
        (#"{"id_token":{"email":{"essential":"true"}}}"#, "id_token.email.essential"),
        (#"{"access_token":{"acrs":{"values":"c4"}}}"#, "access_token.acrs.values"),
    ])
    func memberIsNoDemand(_ text: String, _ path: String) {
        #expect(throws: ClaimsRequest.Invalid.malformed(path)) { try ClaimsRequest(json: text) }
    }
}
