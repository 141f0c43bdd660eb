// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Wire

@testable import NativeAuth

/// Steps that are written down, and made again by another process.
struct WrittenStepTests {
    private let client: NativeAuthClient

    init() throws {
        let authority = try Authority("https://fjordshop.example/t")
        client = NativeAuthClient(
            Configuration(authority: authority, clientID: "00000000-0000-4000-8000-000000000001"))
    }

    private static let delivery =
        #"{"sentTo":"m***@lofoten.example","channel":"email","codeLength":8,"resendAfter":300}"#
    private static let method =
        #"{"id":"M1","challengeType":"oob","challengeChannel":"email","loginHint":"m***@lofoten.example"}"#
    private static let attribute =
        #"{"name":"country","type":"string","required":true,"options":{"regex":"^[A-Z].*$"}}"#

    /// The place as it is in a file, and what is beside it.
    static let signUps = [
        #""place":{"signUpCode":{"_0":\#(delivery)}}"#, #""place":{"signUpCode":{"_0":\#(delivery)}},"next":"CT2""#,
        #""place":{"signUpPassword":{}}"#, #""place":{"signUpAttributes":{"_0":[\#(attribute)]}}"#,
        #""place":{"signUpAttributes":{"_0":[]}},"next":"CT2""#,
    ]
    static let signIns = [
        #""scopes":["a"],"place":{"signInCode":{"_0":\#(delivery)}}"#,
        #""scopes":[],"place":{"signInCode":{"_0":\#(delivery)}},"resumption":{"multiFactorMethods":{"token":"CT2"}}"#,
        #""scopes":[],"place":{"signInPassword":{}},"resumption":{"registrationMethods":{"token":"CT2"}}"#,
        #""scopes":[],"place":{"multiFactorChoice":{"_0":[\#(method)]}}"#,
        #""scopes":[],"place":{"multiFactorCode":{"_0":\#(delivery),"by":\#(method),"of":[\#(method)]}}"#,
        #""scopes":[],"place":{"registrationChoice":{"_0":[\#(method)]}},"resumption":{"tokens":{"token":"CT2"}}"#,
        #""scopes":[],"place":{"registrationCode":{"_0":\#(delivery),"by":\#(method),"contact":"+4790000007","of":[\#(method)]}}"#,
    ]
    static let resets = [#""place":{"resetCode":{"_0":\#(delivery)}}"#, #""place":{"newPassword":{}}"#]

    private func written(_ place: String) throws -> WrittenStep {
        let text = """
            {"username":"mira@lofoten.example","correlationID":"7f9c24e8-3b12-4fef-91e0-5d1a6b1d9d3f","token":"CT1",\(place)}
            """
        return try JSONDecoder().decode(WrittenStep.self, from: Data(text.utf8))
    }

    @Test(arguments: signUps) func signUpStepsComeBack(_ place: String) throws {
        let written = try written(place)
        #expect(client.signUpStep(written)?.written == written)
        #expect(client.signInStep(written)?.written == nil && client.resetStep(written)?.written == nil)
        #expect(written.isWorthKeeping)
    }

    @Test(arguments: signIns) func signInStepsComeBack(_ place: String) throws {
        let written = try written(place)
        #expect(client.signInStep(written)?.written == written)
        #expect(client.signUpStep(written)?.written == nil && client.resetStep(written)?.written == nil)
        #expect(written.isWorthKeeping)
    }

    @Test(arguments: resets) func resetStepsComeBack(_ place: String) throws {
        let written = try written(place)
        #expect(client.resetStep(written)?.written == written)
        #expect(client.signUpStep(written)?.written == nil && client.signInStep(written)?.written == nil)
        #expect(written.isWorthKeeping)
    }

    @Test func aSignInThatWaitsForItsFirstPasswordBeginsAsWellAnew() throws {
        let written = try written(#""scopes":[],"place":{"signInPassword":{}}"#)
        #expect(!written.isWorthKeeping)
    }

    @Test(arguments: ["", #""place":{"other":{}}"#, #""place":{}"#, #""place":{"signUpCode":{"_0":{"sentTo":"m"}}}"#])
    func whatIsNoStepIsNotRead(_ place: String) {
        #expect(throws: (any Error).self) { try written(place.isEmpty ? #""x":1"# : place) }
    }
}
